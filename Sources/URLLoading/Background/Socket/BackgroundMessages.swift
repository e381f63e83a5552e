/// The first message of both sides, whose form never changes: a peer of another version can be told
/// so, in words.
struct BackgroundHandshake: Codable, Hashable, Sendable {
    static let name = "URLLoading background"
    /// What this build speaks.
    static let version = 2

    /// What a client connects for.
    enum Purpose: String, Codable, Sendable {
        /// To receive all events, and to send requests: one client at a time.
        case attach
        /// The same, but others may make tasks meanwhile, and this client makes none.
        case watch
        /// To send requests, and go: any number.
        case control
    }

    var name = Self.name
    var version = Self.version
    /// As the program calls the session: two may share a folder by accident.
    var identifier: String
    /// The sender.
    var process: Int32
    /// The client's.
    var purpose: Purpose?
    /// How far the client has been told of events, where it knows.
    var cursor: BackgroundCursor?

    init(
        identifier: String,
        process: Int32,
        purpose: Purpose? = nil,
        cursor: BackgroundCursor? = nil
    ) {
        self.identifier = identifier
        self.process = process
        self.purpose = purpose
        self.cursor = cursor
    }

    /// What keeps the two from speaking with each other.
    ///
    /// - Parameter identifier: this side's.
    /// - Returns: what does; `nil`: nothing.
    func blocker(identifier: String) -> BackgroundError? {
        guard name == Self.name else { return .disconnected("it is something else") }
        guard version == Self.version else {
            return .protocolVersion(process: process, version: version)
        }
        guard identifier == self.identifier else {
            return .disconnected("it is of the session \(self.identifier.debugDescription)")
        }
        return nil
    }
}

/// How far a program has been told of a background session's events: what it keeps, to be told of
/// none twice.
package struct BackgroundCursor: Codable, Sendable, Hashable {
    /// This session's, and no later one's of the same name.
    package var token: String
    /// The last event.
    package var sequence: Int

    /// A cursor as it was kept.
    package init(token: String, sequence: Int) {
        self.token = token
        self.sequence = sequence
    }
}

/// What a client wants of a session: what is sent to the transfer process, and what the state
/// machine takes, there or in a client that has the session's lock.
enum BackgroundRequest: Codable, Hashable, Sendable {
    /// Tasks are made, held; one with the number 0 gets the session's next. The reply is
    /// ``BackgroundReply/made(tasks:)`` or ``BackgroundReply/refused(tasks:code:detail:)``.
    ///
    /// With settings, what holds for the session holds before any of them begins; how they are
    /// carried out, for these alone.
    case make(tasks: [BackgroundTaskRecord], settings: BackgroundSettings? = nil)
    case resume(tasks: [Int])
    case suspend(tasks: [Int])
    /// Tasks end; with `keepsParts` the event of each has resume data, where there is any.
    case cancel(tasks: [Int], keepsParts: Bool = false)
    /// All tasks are held together.
    case pause
    /// All tasks go on, those too that were held one by one.
    case resumeAll
    /// All tasks end, and only a client that is attached is told.
    case discard
    case settings(settings: BackgroundSettings)
    /// The events up to this one have been told.
    case acknowledge(sequence: Int)
    /// What a task that needs a credential is to do. The credential is kept in memory alone.
    /// `identity` are the files of a client certificate, and `password` its key's then. `place` is
    /// what the delegate was asked about: the transfer process ignores a disposition of anything
    /// but what the task waits for now.
    case answer(
        task: Int,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate? = nil,
        place: ChallengeRecord? = nil
    )
    /// How the session is, with all tasks; the reply is ``BackgroundReply/status(status:)``.
    case status
    /// The same without tasks.
    case summary

    /// Whether it may be refused where the disk has no room for the events that it will lead to.
    var beginsWork: Bool {
        if case .make = self { true } else { false }
    }
}

/// What the transfer process sends to a client, after its handshake.
enum BackgroundReply: Codable, Hashable, Sendable {
    /// The client is attached. All tasks have come before, in ``tasks(tasks:)``; events come after.
    case attached(status: BackgroundStatus)
    /// A page of tasks: those of a session before its status, and those that another client has
    /// made or changed, as they stand now.
    case tasks(tasks: [BackgroundStatus.Task])
    /// The client is not attached, since this process is.
    case inUse(process: Int32)
    /// The tasks are on the disk.
    case made(tasks: [Int])
    /// They are not, with Foundation's number and words for it.
    case refused(tasks: [Int], code: Int, detail: String)
    /// An event that is acknowledged once it has been told.
    case event(delivery: BackgroundDelivery)
    /// How far a task is; some are left out where the client is slow.
    case progress(progress: BackgroundProgress)
    /// A task waits, and for what.
    case waiting(task: Int, reason: String)
    /// A task needs a credential: ``BackgroundRequest/answer(task:disposition:user:password:)``.
    case challenge(task: Int, challenge: ChallengeRecord)
    /// How the session is. All tasks have come before, in ``tasks(tasks:)``.
    case status(status: BackgroundStatus)
    /// A request was carried out, and is on the disk; or was not, and why.
    case done(error: StoredError?)

    /// Whether the client can do without it.
    var isLossy: Bool {
        switch self {
        case .progress, .waiting: true
        case .attached, .tasks, .inUse, .made, .refused, .event, .challenge, .status, .done: false
        }
    }

    /// The same without what a task has cost; `nil`: it has none.
    var withoutMetrics: BackgroundReply? {
        guard case .event(var delivery) = self,
            case .completed(let task, let error, let response, _?) = delivery.event
        else { return nil }
        delivery.event = .completed(task: task, error: error, response: response)
        return .event(delivery: delivery)
    }
}
