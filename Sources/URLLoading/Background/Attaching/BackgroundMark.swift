/// How far a program has been told of a background session's events: what it keeps, to be told of none
/// twice.
package struct BackgroundMark: Sendable, Hashable {
    /// This session's, and no later one's of the same name.
    package var token: String
    /// The last event.
    package var sequence: Int

    /// A mark as it was kept.
    package init(token: String, sequence: Int) {
        self.token = token
        self.sequence = sequence
    }
}
