import Synchronization

extension Nginx {
    /// The requests so far that have their responses, in the order in which those ended.
    ///
    /// - Parameter prefix: What their targets start with, unique to the test, since the log is shared.
    /// - Returns: Theirs alone.
    public func accessLog(_ prefix: String) -> [AccessLogEntry] {
        log.withLock { log in
            log.readOn(folder.path("access.log"))
            return log.entries.filter { $0.target.hasPrefix(prefix) }
        }
    }

    /// Waits until so many requests below a path are in the log.
    ///
    /// nginx writes a line after the last byte of the response, so a client may be faster.
    ///
    /// - Parameters:
    ///   - prefix: A path unique to the test, since the log is shared.
    ///   - count: How many requests to wait for.
    /// - Returns: The requests, which are fewer than `count` if a minute brought no more.
    public func accessLog(_ prefix: String, waitingFor count: Int) async -> [AccessLogEntry] {
        _ = await eventually(within: .seconds(60)) { accessLog(prefix).count >= count }
        return accessLog(prefix)
    }
}
