import FoundationEssentials
import URLLoading

/// A session's call of a delegate method: its name, time, task and arguments.
///
/// All values are made during the call, so another thread may write the event later. `EventRecord`
/// writes the event, and removes secrets.
struct SessionEvent: Sendable {
    let name: Name
    /// The method's full name, as the compiler spells it.
    let method: String
    let moment = EventMoment.now
    /// The task's identifier; `nil` if the call concerns the session itself.
    let task: Int?
    /// The URL of the task's original request; redirects do not change it.
    let url: String?
    private(set) var arguments: [EventMember]
    /// The background session's token and its event that this call delivers, if any.
    ///
    /// A later session with the same identifier has another token. An event counts once, even if a killed
    /// process makes the session deliver it again.
    var delivery: (token: String, event: URLSession.BackgroundEvent)?
    /// How many delegate calls this event combines.
    private(set) var calls = 1

    /// Whether consecutive calls can be merged with no loss except their times.
    var isProgress: Bool {
        arguments.contains { if case .amount = $0.value { true } else { false } }
    }

    /// Adds the amounts of an earlier call of the same kind and task.
    mutating func absorb(_ earlier: SessionEvent) {
        calls += earlier.calls
        for (index, old) in zip(arguments.indices, earlier.arguments) {
            if case .amount(let new) = arguments[index].value, case .amount(let old) = old.value {
                arguments[index].value = .amount(new.adding(clamping: old))
            }
        }
    }
}

extension SessionEvent {
    /// A call about a task; without a task, about the session itself.
    init(
        _ name: Name,
        _ task: URLSessionTask?,
        _ arguments: KeyValuePairs<String, EventValue>,
        method: String = #function
    ) {
        self.init(
            name: name,
            method: method,
            task: task?.taskIdentifier,
            url: task?.originalRequest?.url?.absoluteString,
            arguments: arguments.map { EventMember($0, $1) }
        )
    }

    /// The short name of a delegate's method, which `docs/events.schema.json` has too.
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
