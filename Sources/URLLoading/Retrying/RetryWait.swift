/// How long to wait for the next try.
package struct RetryWait: Equatable, Sendable {
    /// What a server can ask for at the most, unless our own waits may be longer.
    package static let longestAsked: Duration = .seconds(300)

    package var duration: Duration
    /// What the server has asked for, where that is more than it gets.
    package var asked: Duration?

    /// Weighs our own wait against what the server asks for.
    ///
    /// What is asked for is obeyed as it is, up to a limit; to be asked for no wait at all is to be
    /// asked for nothing.
    ///
    /// - Parameters:
    ///   - backoff: our own.
    ///   - asked: the server's `Retry-After`.
    ///   - longest: of our own waits.
    package init(backoff: Duration, asked: Duration?, longest: Duration) {
        guard let asked, asked > .zero else {
            duration = backoff
            return
        }
        duration = min(asked, max(longest, Self.longestAsked))
        self.asked = asked > duration ? asked : nil
    }

    /// A wait of a certain length.
    package init(_ duration: Duration) {
        self.duration = duration
    }
}
