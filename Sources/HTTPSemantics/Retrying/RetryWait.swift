/// The wait before the next attempt.
public struct RetryWait: Equatable, Sendable {
    /// The longest `Retry-After` that we obey, unless our own waits may be longer.
    public static let longestAsked: Duration = .seconds(300)

    /// The length of the wait.
    public var duration: Duration
    /// The server's `Retry-After`, if it is longer than the wait.
    public var asked: Duration?

    /// Chooses between our own wait and the server's.
    ///
    /// It obeys a `Retry-After` up to a limit; 0 counts as none.
    ///
    /// - Parameters:
    ///   - backoff: our own wait.
    ///   - asked: the server's `Retry-After`.
    ///   - longest: the longest of our own waits.
    public init(backoff: Duration, asked: Duration?, longest: Duration) {
        guard let asked, asked > .zero else {
            duration = backoff
            return
        }
        duration = min(asked, max(longest, Self.longestAsked))
        self.asked = asked > duration ? asked : nil
    }

    /// Makes a wait of a fixed length.
    public init(_ duration: Duration) {
        self.duration = duration
    }
}

/// Makes growing waits with a random part: 1 s, 2 s, 4 s and so on.
public enum Backoff {
    /// The wait before another attempt.
    ///
    /// Half of it is fixed and half is random ("equal jitter"): clients that failed together do not
    /// return together, and no client returns at once.
    ///
    /// - Parameters:
    ///   - failed: the failed attempts in a row, from 1.
    ///   - longest: the longest wait.
    ///   - jitter: 0 to below 1.
    /// - Returns: the wait, at least half of the full one.
    public static func wait(
        after failed: Int,
        upTo longest: Duration,
        jitter: Double
    ) -> Duration {
        let full = min(.seconds(1 << (min(max(failed, 1), 31) - 1)), longest)
        return full / 2 + full / 2 * jitter
    }
}

/// The field with the time after which a client may try again ([RFC 9110
/// §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
public enum RetryAfter {
    /// The wait that a response demands; `nil` without a valid value.
    ///
    /// - Parameters:
    ///   - fields: the response's fields.
    ///   - now: seconds since 1970, used if the response has no `Date`.
    /// - Returns: the wait; never negative.
    public static func wait(_ fields: HTTPHeaderFields, now: Double) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        return wait(text, date: fields["Date"], now: now)
    }

    /// The wait in a value: seconds, or a moment by the server's own clock, which may be wrong.
    public static func wait(_ text: String, date: String?, now: Double) -> Duration? {
        let text = HTTPSyntax.trimmed(text)
        if text.isDigits {
            // A number that overflows is longer than any client waits.
            return .seconds(min(Int64(text) ?? .max, 1 << 32))
        }
        guard let moment = HTTPDate.seconds(String(text), now: now) else { return nil }
        let present = date.flatMap { HTTPDate.seconds($0, now: now) }.map(Double.init) ?? now
        return .seconds(min(max(0, Double(moment) - present), Double(1 << 32)))
    }
}
