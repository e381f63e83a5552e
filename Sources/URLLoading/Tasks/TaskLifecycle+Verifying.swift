// Comparing a complete file with its expected digest, on another queue, before the task ends.
extension TaskLifecycle {
    /// Whether the comparison is running.
    var isVerifying: Bool {
        if case .verifying = state { true } else { false }
    }

    /// Handles the result of the comparison.
    ///
    /// - Parameters:
    ///   - error: the mismatch or failure; `nil`: the digest matches.
    ///   - mayStartOver: whether to download again from the first byte, because an earlier partial file
    ///     may be wrong.
    /// - Returns: the actions; none if the caller has cancelled the task meanwhile.
    mutating func verified(_ error: URLError?, mayStartOver: Bool) -> [Action] {
        guard case .verifying(let hopEnd) = state else { return [] }
        guard mayStartOver, let point = resumePoint, let mismatch = error?.digestMismatch,
            let download = hopEnd.download
        else { return end(error, hopEnd) }
        return [.remove(download), .reportStartOver(.digestMismatch(mismatch), point)] + startOver()
    }
}
