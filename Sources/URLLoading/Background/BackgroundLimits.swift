import FoundationEssentials

/// What a background session does not do: each breach is an error when the task is made.
enum BackgroundLimits {
    /// What a program wants of a session that has limits.
    enum Wish: Hashable, Sendable {
        case data
        case download
        /// From a file; or from memory, or a stream.
        case upload(isFile: Bool)
    }

    /// Looks at a task before it is made.
    ///
    /// - Parameters:
    ///   - wish: the kind of task.
    ///   - request: its request.
    ///   - hasDelegate: whether the session has a delegate.
    ///   - hasHandler: whether the task was given a completion handler.
    ///   - hasProtocols: whether the session was given ways of loading of the program's own.
    /// - Returns: what it fails with; `nil` where it can be done.
    static func flaw(
        _ wish: Wish,
        _ request: URLRequest,
        hasDelegate: Bool,
        hasHandler: Bool,
        hasProtocols: Bool
    ) -> URLError? {
        let words: String
        if !hasDelegate {
            words = "a background session needs a delegate, since it may outlive whoever waits"
        } else if hasHandler {
            words = "a background session has no completion handlers: its delegate is told"
        } else if hasProtocols {
            words = "a background session cannot load by URLProtocol classes of the program's own"
        } else if let flaw = flaw(wish, request) {
            words = flaw
        } else {
            let scheme = request.url?.scheme?.lowercased()
            guard scheme != "http", scheme != "https" else { return nil }
            return URLError(
                .unsupportedURL,
                detail: "a background session loads by HTTP and HTTPS only",
                failingURL: request.url
            )
        }
        return URLError(.resourceUnavailable, detail: words, failingURL: request.url)
    }

    private static func flaw(_ wish: Wish, _ request: URLRequest) -> String? {
        switch wish {
        case .data: "a background session has download and upload tasks only"
        case .upload(isFile: false): "a background session uploads from files only"
        case .download where request.httpBody != nil || request.httpBodyStream != nil:
            "a background session sends bodies from files only"
        case .download, .upload: nil
        }
    }
}
