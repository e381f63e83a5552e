/// What is known of a try that failed.
package struct RetryFailure: Sendable {
    /// What it ended with.
    package enum Event: Sendable {
        /// No whole answer.
        case error(URLError)
        /// An error status, with the wait that the server asks for.
        case status(Int, retryAfter: Duration?)
        /// Anything of our own side: a file, a limit, a decision.
        case other

        /// Whether it is of our own side.
        package var isOurs: Bool {
            if case .other = self { true } else { false }
        }

        /// The wait that the server asks for.
        package var asked: Duration? {
            if case .status(_, let wait) = self { wait } else { nil }
        }
    }

    package var event: Event
    /// The method of the request that failed: a redirect may have changed it.
    package var method = "GET"
    /// Whether the server may have acted on that request.
    package var mayHaveReachedServer = true
    /// Whether the try began at a URL that a redirect had led an earlier one to, and may begin at the
    /// first URL instead.
    package var mayBeginAtFirst = false
    /// Why what was delivered already cannot be gone on with, in words; nil where it can, or nothing
    /// was.
    package var obstacle: String?

    package init(event: Event, method: String = "GET", mayHaveReachedServer: Bool = true) {
        self.event = event
        self.method = method
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}
