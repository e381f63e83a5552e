import FoundationEssentials

/// An input of the state machine: a request of a client, a result of a transfer, or time.
enum BackgroundInput: Hashable, Sendable {
    case attach(AttachRequest)
    /// A client has disconnected, for whatever reason.
    case detach(connection: Int)
    case request(BackgroundRequest, from: Int)
    /// A parked task has its credential, or continues without one.
    case challengeDecided(task: Int)

    /// A transfer has received its whole body, in a file of the session. `name` is the server's name for
    /// the file, if the task accepts one.
    case received(task: Int, file: BackgroundFile, StoredResponse?, name: String? = nil)
    /// A transfer has ended without a file, such as an upload whose response has no body.
    case sent(task: Int, StoredResponse?)
    /// A transfer has failed for good.
    case failed(task: Int, StoredError, StoredResponse?)
    /// A transfer has failed for a cause that only the user can remove: its task is held until a client
    /// resumes it.
    case blocked(task: Int, StoredError)
    case retry(task: Int, BackgroundRetry)
    /// The metrics of a task so far (``StoredMetrics``).
    case metricsCollected(task: Int, metrics: String)
    /// The part of a task that is about to end was handed over; with its resume data, if any.
    case partHandedOver(task: Int, resumeData: Data?)
    case challenged(task: Int, ChallengeRecord)
    /// The name of a file's target is taken: the next name has this number or a higher one.
    case displaced(task: Int, number: Int = 0)
    case placed(task: Int)
    /// The session's command has ended, with the status from waitpid(2).
    case commandEnded(run: Int, status: Int32?)
    case mayRun(Bool)
    /// Time has passed, or the process has just begun.
    case tick

    /// Whether the input is refused if the disk has no room for the events that follow from it.
    var beginsWork: Bool {
        if case .request(.make, _) = self { true } else { false }
    }
}

struct AttachRequest: Hashable, Sendable {
    /// The connection's number, unique in this process.
    var connection: Int
    var process: Int32
    /// The last event that the client has received; `nil` if the client does not know.
    var cursor: BackgroundCursor?
    /// The undelivered events whose files are no longer at their paths.
    var taken: Set<Int> = []
    /// Whether the client makes no tasks, so that other clients may.
    var isWatching = false
}

/// An effect of a step, performed in order once the step's records are on the disk.
enum BackgroundEffect: Hashable, Sendable {
    case start(task: BackgroundTaskRecord)
    /// Stop a task's transfer, and keep the received bytes.
    case stop(task: Int)
    /// Hand over a task's part, once its transfer has ended.
    case handOverPart(task: Int)
    /// End a task's transfer, and remove its files.
    case cancel(task: Int)
    /// Move a task's file to its target; an earlier process may have moved it already.
    case place(task: Int, BackgroundPlacement)
    /// Store the head of a response with its body, which is complete and cannot be moved.
    case keepHead(task: Int, StoredResponse?)
    /// Remove the session's files of finished tasks, also those beside destinations.
    case forget(tasks: [Int])
    case runCommand(run: Int, BackgroundCommandReason)
    /// Use these settings for tasks that are started from now on.
    case configure(BackgroundSettings)
    case attached(connection: Int)
    /// Send the attached client the tasks that another client has made or changed.
    case announce(tasks: [Int])
    /// Send a reply to a client: `inUse`, `made`, `refused` or `done`.
    case reply(connection: Int, BackgroundReply)
    case ask(task: Int, ChallengeRecord)
    /// There are events for the attached client: ``BackgroundStateMachine/nextDelivery()``.
    case deliver
}

/// An event, which the delegate gets once, even if processes crash in between.
///
/// Its cases are references: see ``BackgroundTask/Phase``.
indirect enum BackgroundEvent: Codable, Hashable, Sendable {
    /// `urlSession(_:downloadTask:didFinishDownloadingTo:)`; for an upload, the body of its response.
    case finished(task: Int, file: BackgroundFile, response: StoredResponse? = nil)
    /// `urlSession(_:task:didCompleteWithError:)`; a `nil` error is success. The metrics
    /// (``StoredMetrics``), if collected, are delivered first.
    case completed(
        task: Int,
        error: StoredError?,
        response: StoredResponse?,
        metrics: String? = nil
    )
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`, with the counts of tasks that have ended
    /// since the last such event.
    case allDone(counts: BackgroundCounts)

    private enum AllDoneCodingKeys: String, CodingKey {
        case counts = "tally"
    }

    var task: Int? {
        switch self {
        case .finished(let task, _, _), .completed(let task, _, _, _): task
        case .allDone: nil
        }
    }

    var file: BackgroundFile? {
        if case .finished(_, let file, _) = self { file } else { nil }
    }
}

/// An event on its way to the attached client.
struct BackgroundDelivery: Codable, Hashable, Sendable {
    var sequence: Int
    var event: BackgroundEvent
    /// Whether an earlier client may have received it, and has ended without acknowledging it.
    var isRedelivery: Bool
}
