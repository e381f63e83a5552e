extension RetryPolicy {
    /// The longest wait between two tries of a background session.
    private static let longestBackgroundWait: Duration = .seconds(300)

    /// That of a background session: until the task's time is over, unless somebody says otherwise,
    /// and a host that refuses may be one that is just being started.
    ///
    /// - Parameter tries: in a row, without anything new; nil: as many as the task's time allows.
    /// - Returns: the policy.
    static func background(tries: Int?) -> RetryPolicy {
        RetryPolicy(tries: tries, longestWait: longestBackgroundWait, retriesRefused: true)
    }
}
