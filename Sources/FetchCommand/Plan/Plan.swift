/// What is to be done: the command line, validated once.
///
/// A pure value: it was made without a network and without a change to any file.
struct Plan: Equatable, Sendable {
    /// One per URL, in the command line's order; never empty.
    let tasks: [TaskPlan]
    let session: SessionPlan
    let messages: MessagePlan
    /// Whether `DryRun.text(of:)` is all that is wanted.
    let isDryRun: Bool
}
