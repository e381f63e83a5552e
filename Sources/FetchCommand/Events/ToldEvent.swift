import URLLoading

/// Which event of a background session a call tells: what is told once, whatever happens to the
/// processes in between.
struct ToldEvent: Sendable, Equatable {
    /// The session, and no later one of its name.
    let session: String
    /// Counted from 1.
    let sequence: Int
    /// Whether it may have been told before, to a command that was killed.
    let isRedelivery: Bool

    var members: [EventMember] {
        [
            EventMember("session", .text(session)),
            EventMember("sequence", .number(Int64(sequence))),
            EventMember("isRedelivery", .flag(isRedelivery)),
        ]
    }
}
