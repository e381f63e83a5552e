/// How a run's tasks have ended, so far.
struct JobCount: Equatable {
    /// Those that were begun, and those that never could be.
    var all = 0
    var failed = 0
    var abandoned = 0
    /// Bytes of bodies.
    var bytes: Int64 = 0

    var succeeded: Int { all - failed - abandoned }

    /// One line about all of them.
    ///
    /// - Parameter elapsed: how long they have taken together; `nil` where nobody here knows.
    /// - Returns: the line.
    func summary(_ elapsed: Duration?) -> String {
        var parts = ["\(succeeded) of \(all) URL\(all == 1 ? "" : "s") fetched"]
        if failed > 0 { parts.append("\(failed) failed") }
        if abandoned > 0 { parts.append("\(abandoned) given up") }
        let words = parts.joined(separator: ", ") + "; \(ByteText.size(bytes))"
        guard let elapsed else { return words }
        return words + " in \(ByteText.time(elapsed)), " + ByteText.rate(bytes, elapsed)
    }
}
