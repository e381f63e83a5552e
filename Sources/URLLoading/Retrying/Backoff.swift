/// Waits that grow, each by chance: 1 s, 2 s, 4 s and so on.
package enum Backoff {
    /// The wait before another try.
    ///
    /// Half of it is certain and half is chance ("equal jitter"): those who failed together do not
    /// come again together, and nobody comes at once.
    ///
    /// - Parameters:
    ///   - failed: the tries that have failed in a row, from 1.
    ///   - longest: what no wait is longer than.
    ///   - jitter: 0 to below 1.
    /// - Returns: the wait, half of the full one at the least.
    package static func wait(
        after failed: Int,
        upTo longest: Duration,
        jitter: Double
    ) -> Duration {
        let full = min(.seconds(1 << min(max(failed - 1, 0), 30)), longest)
        return full / 2 + full / 2 * jitter
    }
}
