/// What is to be done: the command line, validated once.
///
/// A pure value: it was made without a network and without a change to any file.
struct Plan: Sendable {
    /// One per URL, in the command line's order; empty only where a file lists them.
    let tasks: [TaskPlan]
    /// What lists further URLs.
    let list: URLListSource?
    /// Makes the tasks of those.
    let planner: TaskPlanner
    /// How many tasks run at once.
    let jobs: Int
    /// What is waited between two of them.
    let pause: TaskPause
    /// Whether the first failure ends the others.
    let failsEarly: Bool
    let session: SessionPlan
    let authentication: AuthenticationPlan
    let messages: MessagePlan
    let answers: AnswerPlan
    let reports: ReportPlan
    /// What bodies have to come to.
    let checksums: ChecksumPlan
    /// What is left to another process; nil: nothing.
    let background: BackgroundPlan?
    /// Whether `DryRun.text(of:)` is all that is wanted.
    let isDryRun: Bool

    /// Whether there are several tasks, or nobody knows.
    var hasMany: Bool { tasks.count > 1 || list != nil }

    /// Whether somebody has reason to think that a server will ask who one is.
    var expectsChallenges: Bool {
        if case .named = authentication.netrc { return true }
        if list != nil, authentication.user != nil { return true }
        return tasks.contains { $0.identity.credential != nil && $0.identity.sentAtOnce == nil }
    }
}
