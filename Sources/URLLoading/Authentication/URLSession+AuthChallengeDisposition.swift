extension URLSession {
    /// What a delegate answers to a challenge.
    public enum AuthChallengeDisposition: Int, Sendable, Hashable {
        /// Go on with this credential; without one, with none.
        case useCredential = 0
        /// Do as if there was no delegate.
        case performDefaultHandling = 1
        /// Give the task up.
        case cancelAuthenticationChallenge = 2
        /// Leave this method; the next one that the server offers is tried.
        case rejectProtectionSpace = 3
    }
}
