/// What is to be done: the command line, validated once.
///
/// A pure value: it was made without a network and without a change to any file.
struct Plan: Equatable, Sendable {
    /// One per URL, in the command line's order; never empty.
    let tasks: [TaskPlan]
    let session: SessionPlan
    let authentication: AuthenticationPlan
    let messages: MessagePlan
    let answers: AnswerPlan
    let reports: ReportPlan
    /// Whether `DryRun.text(of:)` is all that is wanted.
    let isDryRun: Bool

    /// Whether somebody has reason to think that a server will ask who one is.
    var expectsChallenges: Bool {
        if case .named = authentication.netrc { return true }
        return tasks.contains { $0.identity.credential != nil && $0.identity.sentAtOnce == nil }
    }
}
