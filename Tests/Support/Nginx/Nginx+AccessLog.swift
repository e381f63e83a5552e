import Synchronization

extension Nginx {
    /// The requests so far with complete responses, in the order in which the responses ended.
    ///
    /// - Parameter prefix: The start of their targets, unique to the test, since the log is shared.
    /// - Returns: The requests with that prefix.
    public func accessLog(_ prefix: String) -> [AccessLogEntry] {
        log.withLock { log in
            log.readOn(folder.path("access.log"))
            return log.entries(prefix)
        }
    }

    /// Waits until the log has a number of requests below a path.
    ///
    /// nginx writes a line after the last byte of the response, so a client may be faster.
    ///
    /// - Parameters:
    ///   - prefix: A path unique to the test, since the log is shared.
    ///   - count: The number of requests to wait for.
    /// - Returns: The requests, which are fewer than `count` after a minute without more.
    public func accessLog(_ prefix: String, waitingFor count: Int) async -> [AccessLogEntry] {
        _ = await eventually(within: .seconds(60)) { accessLog(prefix).count >= count }
        return accessLog(prefix)
    }
}
