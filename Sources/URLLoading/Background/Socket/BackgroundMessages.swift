/// The first message of both sides, whose form never changes: who is of another version can be told
/// so, in words.
struct BackgroundHandshake: Codable, Hashable, Sendable {
    static let name = "URLLoading background"
    /// What this build speaks.
    static let version = 2

    /// What somebody has come for.
    enum Purpose: String, Codable, Sendable {
        /// To be told of all that happens, and to give orders: one at a time.
        case attach
        /// The same, but others may make tasks meanwhile, and it makes none.
        case watch
        /// To give an order, or to ask, and go: any number.
        case control
    }

    var name = Self.name
    var version = Self.version
    /// As the program calls the session: two may share a folder by accident.
    var identifier: String
    /// Who says it.
    var process: Int32
    /// The client's.
    var purpose: Purpose?
    /// What it has been told of, where it knows.
    var seen: AttachRequest.Seen?

    init(
        identifier: String,
        process: Int32,
        purpose: Purpose? = nil,
        seen: AttachRequest.Seen? = nil
    ) {
        self.identifier = identifier
        self.process = process
        self.purpose = purpose
        self.seen = seen
    }

    /// What keeps the two from speaking with each other.
    ///
    /// - Parameter identifier: this side's.
    /// - Returns: what does; `nil`: nothing.
    func obstacle(identifier: String) -> BackgroundError? {
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

/// What a client says to the transfer process, after its hello.
enum BackgroundRequest: Codable, Hashable, Sendable {
    /// Tasks are made, held; answered by ``BackgroundReply/made(tasks:)`` or
    /// ``BackgroundReply/refused(tasks:code:detail:)``.
    case make(tasks: [BackgroundTaskRecord])
    /// The same, and what holds for the session holds before any of them begins; how they are carried
    /// out, for these alone.
    case submit(tasks: [BackgroundTaskRecord], settings: BackgroundSettings)
    case resume(tasks: [Int])
    case suspend(tasks: [Int])
    /// Tasks end; with `keepsParts` each is told with resume data, where there is any.
    case cancel(tasks: [Int], keepsParts: Bool? = nil)
    /// All tasks are held together, or no longer.
    case pause(isPaused: Bool)
    /// All tasks go on, those too that were held, and so does the session.
    case resumeAll
    /// All tasks end, and nothing is told of it but to who is attached.
    case discard
    case settings(settings: BackgroundSettings)
    /// The events up to this one have been told.
    case acknowledge(sequence: Int)
    /// What a task that needs a credential is to do. The credential is kept in memory alone.
    /// `identity` are the files of a client certificate, and `password` its key's then. `place` is what
    /// the delegate was asked about: the transfer process ignores an answer to anything but what the task
    /// waits for now, and one of an earlier version, which does not say.
    case answer(
        task: Int,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate? = nil,
        place: ChallengeRecord? = nil
    )
    /// How all is; answered by ``BackgroundReply/status(status:)``.
    case status
}

/// What the transfer process says to a client, after its hello.
enum BackgroundReply: Codable, Hashable, Sendable {
    /// The client is let in; all there is, before anything that happens. Of many tasks the first come
    /// before, in ``added(tasks:)``: a frame has its limit.
    case welcome(status: BackgroundStatus)
    /// Tasks that somebody else has made, or has ordered something of, as they stand now.
    case added(tasks: [BackgroundStatus.Task])
    /// The client is not let in: this process is attached.
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
    /// How all is.
    case status(status: BackgroundStatus)
    /// An order was carried out, and is on the disk; or was not, and why.
    case done(error: StoredError?)

    /// Whether the client can do without it.
    var isLossy: Bool {
        switch self {
        case .progress, .waiting: true
        case .welcome, .added, .inUse, .made, .refused, .event, .challenge, .status, .done: false
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
