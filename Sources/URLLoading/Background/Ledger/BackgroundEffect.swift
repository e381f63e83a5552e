/// What is to be done once what has changed is on the disk, in this order.
enum BackgroundEffect: Hashable, Sendable {
    /// Carry a task out, from where it stands.
    case start(task: BackgroundTaskRecord)
    /// Hold its transfer, and keep what has come.
    case stop(task: Int)
    /// Hand over what has come of it, when its transfer is at rest.
    case salvage(task: Int)
    /// End its transfer, and keep nothing.
    case cancel(task: Int)
    /// Move its file; that may have been done before.
    case place(task: Int, BackgroundPlacement)
    /// Remove what the session has of tasks that are done with.
    case forget(tasks: [Int])
    /// Run the session's command.
    case runCommand(run: Int, BackgroundCommandReason)
    /// Carry tasks out in this way from now on.
    case configure(BackgroundSettings)
    /// Somebody is attached now.
    case welcome(connection: Int)
    /// Somebody is not let in: this process is attached already.
    case turnAway(connection: Int, attached: Int32)
    /// Somebody's tasks were made.
    case confirm(connection: Int, tasks: [Int])
    /// Who is attached is told of tasks that somebody else has made.
    case announce(tasks: [Int])
    /// Somebody's tasks were not made, and why.
    case reject(connection: Int, tasks: [Int], reason: String)
    /// What somebody has ordered is on the disk.
    case assure(connection: Int)
    /// Who is attached is asked for a credential.
    case ask(task: Int, ChallengeRecord)
    /// There is something to tell: ``BackgroundLedger/nextDelivery()``.
    case deliver
}
