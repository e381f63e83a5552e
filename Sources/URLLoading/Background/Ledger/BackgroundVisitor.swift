/// Who attaches to a session.
struct BackgroundVisitor: Hashable, Sendable {
    /// What it has been told of, by its own account.
    struct Seen: Codable, Hashable, Sendable {
        /// The session's.
        var token: String
        /// The last event.
        var sequence: Int
    }

    /// A number that no other connection to this process has had.
    var connection: Int
    var process: Int32
    /// `nil` where it does not know.
    var seen: Seen?
    /// The events, among those that have not been told for certain, whose files are not there any
    /// more.
    var taken: Set<Int> = []
    /// Whether it makes no tasks, and others may.
    var isWatching = false
}
