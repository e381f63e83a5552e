import FoundationEssentials

/// What happens to a session: what the program wants, what transfers come to, and time.
enum BackgroundInput: Sendable {
    /// Somebody wants to be told of all that happens, and to give orders.
    case attach(BackgroundVisitor)
    /// That somebody has gone, whyever.
    case detach(connection: Int)
    /// Tasks are made, held.
    case make([BackgroundTaskRecord], from: Int)
    case resume(task: Int)
    case suspend(task: Int)
    case cancel(task: Int)
    /// A task ends as with `cancel`, and what has come of it is handed over.
    case cancelKeepingPart(task: Int)
    /// All tasks are held together, or no longer.
    case pause(Bool)
    /// All tasks are carried out that were held.
    case resumeAll
    /// All tasks end, and what was not told is not told any more, but to who is attached.
    case discard
    /// What holds for the session is something else from now on.
    case settings(BackgroundSettings)
    /// The events up to this one have been told.
    case acknowledge(sequence: Int, from: Int)
    /// The credential that a parked task needed is there, or it is to go on without.
    case answered(task: Int)

    /// A transfer has what it was to have, in a file of the session's own.
    case received(task: Int, file: BackgroundFile, StoredResponse?)
    /// A transfer has ended without a file: an upload whose answer has no body.
    case sent(task: Int, StoredResponse?)
    /// A transfer has failed for good.
    case failed(task: Int, StoredError, StoredResponse?)
    /// A transfer has failed, and is to be tried again.
    case retry(task: Int, BackgroundRetry)
    /// What a task has cost so far.
    case measured(task: Int, metrics: String)
    /// What has come of a task that is about to end is at rest: resume data for it, if there is any.
    case salvaged(task: Int, resumeData: Data?)
    /// A transfer needs a credential.
    case challenged(task: Int, ChallengeRecord)
    /// The name that a file was to get is somebody else's: it gets another, with a number from this
    /// one on.
    case displaced(task: Int, number: Int = 0)
    /// A file is where it belongs.
    case placed(task: Int, BackgroundFile)
    /// The session's command has ended, with what waitpid(2) says.
    case commandEnded(run: Int, status: Int32?)
    /// Whether this is a time for transfers.
    case mayRun(Bool)
    /// Somebody wants to know when what was ordered before is on the disk.
    case confirm(from: Int)
    /// Time has passed, or the process has just begun.
    case tick

    /// Whether it may be refused where the disk has no room for what will have to be told of it.
    var beginsWork: Bool {
        if case .make = self { true } else { false }
    }

    /// Whether whoever wants it can be told that it cannot be done.
    var isOrder: Bool {
        switch self {
        case .attach, .make, .resume, .suspend, .cancel, .cancelKeepingPart, .pause, .resumeAll,
            .discard, .settings, .confirm:
            true
        case .detach, .acknowledge, .answered, .received, .sent, .failed, .retry, .salvaged,
            .measured, .challenged, .displaced, .placed, .commandEnded, .mayRun, .tick:
            false
        }
    }
}
