/// A line of a server's log.
public protocol ServerLogEntry: Sendable {
    /// Parses a line; `nil` for a line of another kind or an incomplete line.
    init?(line: Substring)
}
