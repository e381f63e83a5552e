/// A line of a server's log.
public protocol ServerLogEntry: Sendable {
    /// Parses a line; `nil` for one that is of another kind, or not whole yet.
    init?(line: Substring)
}
