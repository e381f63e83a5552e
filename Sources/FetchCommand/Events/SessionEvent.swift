import FoundationEssentials
import URLLoading

/// A call that the session made to its delegate: which, when, of what task, and with what.
///
/// All values are made during the call, so the event may be written later, on another thread.
/// `EventRecord` writes it, and keeps secrets out.
struct SessionEvent: Sendable {
    let name: Name
    /// The method in full, as the compiler spells it.
    let method: String
    let moment = EventMoment.now
    /// Nil where the call is about the session itself.
    let task: Int?
    /// What the task was made for; it stays the same when the server redirects.
    let url: String?
    /// By their labels, in their order.
    private(set) var arguments: [EventMember]
    /// Which event of a background session it delivers, if it is one.
    var delivery: DeliveredEvent?
    /// How many calls this one combines.
    private(set) var calls = 1

    init(
        _ name: Name,
        method: String,
        task: Int?,
        url: String?,
        _ arguments: [EventMember]
    ) {
        self.name = name
        self.method = method
        self.task = task
        self.url = url
        self.arguments = arguments
    }

    /// A call about a task, or about the session itself.
    init(
        _ name: Name,
        _ task: URLSessionTask?,
        _ arguments: KeyValuePairs<String, EventValue>,
        method: String = #function
    ) {
        self.init(
            name,
            method: method,
            task: task?.taskIdentifier,
            url: task?.originalRequest?.url?.absoluteString,
            arguments.map { EventMember($0, $1) }
        )
    }

    /// Whether calls that follow one another can be merged, and nothing is lost but their
    /// times.
    var isProgress: Bool {
        arguments.contains { if case .amount = $0.value { true } else { false } }
    }

    /// Adds the values of earlier calls of the same kind and task.
    mutating func absorb(_ earlier: SessionEvent) {
        calls += earlier.calls
        for (index, old) in zip(arguments.indices, earlier.arguments) {
            if case .amount(let new) = arguments[index].value, case .amount(let old) = old.value {
                arguments[index].value = .amount(new + old)
            }
        }
    }
}

extension SessionEvent {
    /// The short name of a delegate's method: the label that says what happens, or, if two methods
    /// share it, what they have received.
    ///
    /// `docs/events.schema.json` has an entry for each.
    enum Name: String, CaseIterable {
        case willPerformHTTPRedirection
        case didUpgradeTo
        case taskIsWaitingForConnectivity
        case didReceiveChallenge
        case needNewBodyStream
        case didSendBodyData
        case didReceiveResponse
        case didBecomeDownload
        case didReceiveData
        case willCacheResponse
        case didWriteData
        case didResumeAtOffset
        case didStartOver
        case didCheckDigest
        case didSplitInto
        case didFinishDownloadingTo
        case didFinishCollecting
        case didCompleteWithError
        case didFinishEvents
        case didBecomeInvalidWithError
    }
}

/// The event of a background session that a call delivers: once, whatever happens to the processes.
struct DeliveredEvent: Sendable, Equatable {
    /// The session, and no later one of its name.
    let session: String
    /// Counted from 1.
    let sequence: Int
    /// Whether a command that was killed may have received it before.
    let isRedelivery: Bool

    var members: [EventMember] {
        [
            EventMember("session", .text(session)),
            EventMember("sequence", .number(Int64(sequence))),
            EventMember("isRedelivery", .flag(isRedelivery)),
        ]
    }
}
