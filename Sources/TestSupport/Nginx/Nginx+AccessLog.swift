extension Nginx {
    /// Every request answered so far, by any test, in the order in which the answers ended.
    public func accessLog() -> [AccessLogEntry] {
        (folder.readText("access.log") ?? "")
            .split(separator: "\n")
            .compactMap { AccessLogEntry(line: $0) }
    }

    /// The requests answered so far whose target starts with a path, which is unique to the test.
    public func accessLog(_ prefix: String) -> [AccessLogEntry] {
        accessLog().filter { $0.target.hasPrefix(prefix) }
    }

    /// Waits until so many requests below a path are in the log.
    ///
    /// nginx writes a line after the last byte of the answer, so a client may be faster.
    ///
    /// - Parameters:
    ///   - prefix: A path unique to the test, since the log is shared.
    ///   - count: How many requests to wait for.
    /// - Returns: The requests, which are fewer than `count` if five seconds brought no more.
    public func accessLog(_ prefix: String, waitingFor count: Int) async -> [AccessLogEntry] {
        _ = await eventually { accessLog(prefix).count >= count }
        return accessLog(prefix)
    }
}
