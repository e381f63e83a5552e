// A complete file is compared with its expected digest, on another queue, before it counts.
extension TaskLifecycle {
    /// Whether that is under way.
    var isVerifying: Bool {
        if case .verifying = state { true } else { false }
    }

    /// Takes what came of it.
    ///
    /// - Parameters:
    ///   - error: what is wrong; `nil`: nothing.
    ///   - mayStartOver: whether a part may be the reason, and is tried without.
    /// - Returns: the actions; none where the task was cancelled meanwhile.
    mutating func verified(_ error: URLError?, mayStartOver: Bool) -> [Action] {
        guard case .verifying(let hopEnd) = state else { return [] }
        guard mayStartOver, let point = resumePoint, let mismatch = error?.digestMismatch,
            let download = hopEnd.download
        else { return end(error, hopEnd) }
        return [.remove(download), .reportStartOver(.digestMismatch(mismatch), point)] + startOver()
    }
}
