import URLLoading

extension TaskRun.State {
    /// What has gone wrong with a body whose status says more about the task, in words.
    ///
    /// - Parameter error: what the session reports.
    /// - Returns: the words; `nil` where nothing has, or nobody wants to know.
    func trouble(_ error: URLError?) -> String? {
        switch failure {
        case .file(let error), .answer(let error): "\(error)"
        case .policy(let words): words
        case .outputClosed, .kept: nil
        case nil: error.flatMap { $0.code == .cancelled ? nil : "\($0)" }
        }
    }
}
