import FoundationEssentials

/// What happens to a session: what clients request, what transfers come to, and time.
enum BackgroundInput: Sendable {
    /// A client attaches.
    case attach(AttachRequest)
    /// A client has disconnected, for whatever reason.
    case detach(connection: Int)
    /// A client requests something.
    case request(BackgroundRequest, from: Int)
    /// The credential that a parked task needed is there, or it is to go on without.
    case challengeDecided(task: Int)

    /// A transfer has what it was to have, in a file of the session's own; with the name that the server
    /// has given it, where it may.
    case received(task: Int, file: BackgroundFile, StoredResponse?, name: String? = nil)
    /// A transfer has ended without a file: an upload whose response has no body.
    case sent(task: Int, StoredResponse?)
    /// A transfer has failed for good.
    case failed(task: Int, StoredError, StoredResponse?)
    /// A transfer has failed by what only the user can mend: its task is held until it is resumed.
    case blocked(task: Int, StoredError)
    /// A transfer has failed, and is to be tried again.
    case retry(task: Int, BackgroundRetry)
    /// What a task has cost so far.
    case metricsCollected(task: Int, metrics: String)
    /// What has come of a task that is about to end is at rest: resume data for it, if there is any.
    case partHandedOver(task: Int, resumeData: Data?)
    /// A transfer needs a credential.
    case challenged(task: Int, ChallengeRecord)
    /// The name that a file was to get is taken: it gets another, with a number from this one on.
    case displaced(task: Int, number: Int = 0)
    /// A file is where it belongs.
    case placed(task: Int, BackgroundFile)
    /// The session's command has ended, with what waitpid(2) says.
    case commandEnded(run: Int, status: Int32?)
    /// Whether this is a time for transfers.
    case mayRun(Bool)
    /// Time has passed, or the process has just begun.
    case tick

    /// Whether it may be refused where the disk has no room for the events that it will lead to.
    var beginsWork: Bool {
        if case .request(let request, _) = self { request.beginsWork } else { false }
    }

    /// Whether the client can be told that it cannot be done.
    var isRefusable: Bool {
        switch self {
        case .attach: true
        case .request(.acknowledge, _): false
        case .request: true
        default: false
        }
    }
}

/// A client that attaches to a session.
struct AttachRequest: Hashable, Sendable {
    /// A number that no other connection to this process has had.
    var connection: Int
    var process: Int32
    /// How far the client has been told, by its own account; `nil` where it does not know.
    var cursor: BackgroundCursor?
    /// The events, among those that have not been told for certain, whose files are not there any
    /// more.
    var taken: Set<Int> = []
    /// Whether it makes no tasks, and others may.
    var isWatching = false
}

/// What is to be done once what has changed is on the disk, in this order.
enum BackgroundEffect: Hashable, Sendable {
    /// Carry a task out, from where it stands.
    case start(task: BackgroundTaskRecord)
    /// Hold its transfer, and keep what has come.
    case stop(task: Int)
    /// Hand over what has come of it, when its transfer is at rest.
    case handOverPart(task: Int)
    /// End its transfer, and keep nothing.
    case cancel(task: Int)
    /// Move its file; that may have been done before.
    case place(task: Int, BackgroundPlacement)
    /// Keep the head of a response with its body, which is whole and cannot be moved.
    case keepHead(task: Int, StoredResponse?)
    /// Remove what the session has of tasks that are done with.
    case forget(tasks: [Int])
    /// Run the session's command.
    case runCommand(run: Int, BackgroundCommandReason)
    /// Carry tasks out in this way from now on.
    case configure(BackgroundSettings)
    /// A client is attached now.
    case attached(connection: Int)
    /// A client is refused, since this process is attached already.
    case inUse(connection: Int, attached: Int32)
    /// A client's tasks were made.
    case made(connection: Int, tasks: [Int])
    /// The attached client is told of tasks that another has made, or changed.
    case announce(tasks: [Int])
    /// A client's tasks were not made, and why.
    case refused(connection: Int, tasks: [Int], reason: String)
    /// What a client has requested is on the disk.
    case done(connection: Int)
    /// The attached client is asked for a credential.
    case ask(task: Int, ChallengeRecord)
    /// There are events for the attached client: ``BackgroundStateMachine/nextDelivery()``.
    case deliver
}

/// What a program is told once, whatever happens to the processes in between.
enum BackgroundEvent: Codable, Hashable, Sendable {
    /// `urlSession(_:downloadTask:didFinishDownloadingTo:)`, or of an upload the body of its
    /// response.
    case finished(task: Int, file: BackgroundFile, response: StoredResponse? = nil)
    /// `urlSession(_:task:didCompleteWithError:)`; `nil`: it has succeeded. Before that, what it has cost
    /// (``StoredMetrics``), where that was gathered.
    case completed(
        task: Int,
        error: StoredError?,
        response: StoredResponse?,
        metrics: String? = nil
    )
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`, with what has come of the tasks since
    /// the last time.
    case allDone(counts: BackgroundCounts)

    /// The journal's name of the member.
    private enum AllDoneCodingKeys: String, CodingKey {
        case counts = "tally"
    }

    /// The task that it is about.
    var task: Int? {
        switch self {
        case .finished(let task, _, _), .completed(let task, _, _, _): task
        case .allDone: nil
        }
    }

    /// The file that it hands over.
    var file: BackgroundFile? {
        if case .finished(_, let file, _) = self { file } else { nil }
    }
}

/// An event on its way to the attached client.
struct BackgroundDelivery: Codable, Hashable, Sendable {
    var sequence: Int
    var event: BackgroundEvent
    /// Whether it may have been told before, to a client that ended without acknowledging it.
    var isRedelivery: Bool
}
