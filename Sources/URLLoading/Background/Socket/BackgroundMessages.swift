/// The first message of both sides.
///
/// Its form never changes, so that peers of different versions can report that.
struct BackgroundHandshake: Codable, Hashable, Sendable {
    static let name = "URLLoading background"
    static let version = 2

    enum Purpose: String, Codable, Sendable {
        /// The client receives all events and sends requests; one such client at a time.
        case attach
        /// Like `attach`, but the client makes no tasks, and others may.
        case watch
        /// The client sends requests and disconnects; any number of such clients.
        case control
    }

    var name = Self.name
    var version = Self.version
    /// The session's identifier: two sessions may share a folder by accident.
    var identifier: String
    var process: Int32
    /// The client's purpose; the server sends none.
    var purpose: Purpose?
    /// The last event that the client has received, if known.
    var cursor: BackgroundCursor?

    /// The reason why the two sides cannot communicate; `nil` if there is none.
    func blocker(identifier: String) -> BackgroundError? {
        guard name == Self.name else { return .disconnected("another program uses its socket") }
        guard version == Self.version else {
            return .protocolVersion(process: process, version: version)
        }
        guard identifier == self.identifier else {
            return .disconnected("it belongs to the session \(self.identifier.debugDescription)")
        }
        return nil
    }
}

/// A program's position in a background session's events.
///
/// A program that stores it gets no event twice.
package struct BackgroundCursor: Codable, Sendable, Hashable {
    /// The token of the session, which a later session of the same identifier does not have.
    package var token: String
    /// The last received event.
    package var sequence: Int

    package init(token: String, sequence: Int) {
        self.token = token
        self.sequence = sequence
    }
}

/// A client's request.
///
/// The state machine takes it, in the transfer process or in a client that has the session's lock.
enum BackgroundRequest: Codable, Hashable, Sendable {
    /// Make held tasks; a task with the number 0 gets the session's next number. The reply is
    /// ``BackgroundReply/made(tasks:)`` or ``BackgroundReply/refused(tasks:code:detail:)``.
    ///
    /// Settings apply to the session before any of the tasks begins; their configuration, to these tasks
    /// alone.
    case make(tasks: [BackgroundTaskRecord], settings: BackgroundSettings? = nil)
    case resume(tasks: [Int])
    case suspend(tasks: [Int])
    /// End tasks; with `keepsParts`, their events have resume data, if possible.
    case cancel(tasks: [Int], keepsParts: Bool = false)
    /// Hold all tasks together.
    case pause
    /// Resume all tasks, including those that were held one by one.
    case resumeAll
    /// End all tasks; only an attached client gets the events.
    case discard
    case settings(settings: BackgroundSettings)
    /// The client has reported the events up to this one.
    case acknowledge(sequence: Int)
    /// The disposition of a challenge; its credential is kept in memory only. `identity` names the files of
    /// a client certificate; then `password` is for its key. `place` is the challenge of the delegate's
    /// call: the transfer process ignores a disposition for any other challenge than the task's current
    /// one.
    case answer(
        task: Int,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate? = nil,
        place: ChallengeRecord? = nil
    )
    /// Send the session's status with all tasks; the reply is ``BackgroundReply/status(status:)``.
    case status
    /// Send the session's status without tasks.
    case summary
}

/// A message of the transfer process to a client, after its handshake.
enum BackgroundReply: Codable, Hashable, Sendable {
    /// The client is attached. All tasks precede, in ``tasks(tasks:)``; events follow.
    case attached(status: BackgroundStatus)
    /// A page of tasks: all tasks before the session's status, or tasks that another client has made or
    /// changed.
    case tasks(tasks: [BackgroundStatus.Task])
    /// The client is not attached, because this process is.
    case inUse(process: Int32)
    /// The tasks are on the disk.
    case made(tasks: [Int])
    /// The tasks were not made; with Foundation's error code, and a text.
    case refused(tasks: [Int], code: Int, detail: String)
    /// An event, which the client acknowledges when its delegate call has returned.
    case event(delivery: BackgroundDelivery)
    /// A task's progress; dropped if the client is slow.
    case progress(progress: BackgroundProgress)
    case waiting(task: Int, reason: String)
    /// A task needs a credential: ``BackgroundRequest/answer(task:disposition:user:password:)``.
    case challenge(task: Int, challenge: ChallengeRecord)
    /// The session's status. All tasks precede, in ``tasks(tasks:)``.
    case status(status: BackgroundStatus)
    /// A request is on the disk; or it failed, with this error.
    case done(error: StoredError?)

    var isLossy: Bool {
        switch self {
        case .progress, .waiting: true
        case .attached, .tasks, .inUse, .made, .refused, .event, .challenge, .status, .done: false
        }
    }
}
