/// What the transfer process says to a visitor, after its hello.
enum BackgroundReply: Codable, Hashable, Sendable {
    /// The visitor is let in; all there is, before anything that happens. Of many tasks the first come
    /// before, in ``added(tasks:)``: a frame has its limit.
    case welcome(status: BackgroundStatus)
    /// Tasks that somebody else has made, or has ordered something of, as they stand now.
    case added(tasks: [BackgroundStatus.Task])
    /// The visitor is not let in: this process is attached.
    case inUse(process: Int32)
    /// The tasks are on the disk.
    case made(tasks: [Int])
    /// They are not, with Foundation's number and words for it.
    case refused(tasks: [Int], code: Int, detail: String)
    /// An event that is acknowledged once it has been told.
    case event(delivery: BackgroundDelivery)
    /// How far a task is; some are left out where the visitor is slow.
    case progress(progress: BackgroundProgress)
    /// A task waits, and for what.
    case waiting(task: Int, reason: String)
    /// A task needs a credential: ``BackgroundRequest/answer(task:disposition:user:password:)``.
    case challenge(task: Int, challenge: ChallengeRecord)
    /// How all is.
    case status(status: BackgroundStatus)
    /// An order was carried out, and is on the disk; or was not, and why.
    case done(error: StoredError?)

    /// Whether the visitor can do without it.
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
