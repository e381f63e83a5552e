import FoundationEssentials
import Synchronization

/// A task's hop that a transfer process carries out: what is asked of it is said there.
final class BackgroundHop: RunningHop {
    private struct Reported {
        var sent: Int64
        var received: Int64
        var isQueued = false
        var unread: URLError?
        var keepsPart = false
        /// Whether the delegate has been told where it has gone on, or begun again.
        var isBeginningReported = false
    }

    private let task: Int
    /// The file that a download of a command becomes.
    let destination: String?
    private let attachment: BackgroundAttachment
    private let reported: Mutex<Reported>

    /// - Parameters:
    ///   - task: its number.
    ///   - attachment: the connection with the transfer process.
    ///   - status: how it was when this program came; what it had received is not told again.
    init(_ task: Int, _ attachment: BackgroundAttachment, as status: BackgroundStatus.Task?) {
        self.task = task
        self.attachment = attachment
        destination = status?.destination
        let progress = status?.progress
        reported = Mutex(Reported(sent: progress?.sent ?? 0, received: progress?.received ?? 0))
        if let progress { _ = noteBeginning(progress) }
        reported.withLock { $0.received = progress?.received ?? 0 }
    }

    func suspend() { attachment.request(.suspend(tasks: [task]), for: task) }

    func resume() { attachment.request(.resume(tasks: [task]), for: task) }

    func cancel() {
        let keepsPart = reported.withLock { $0.keepsPart }
        attachment.request(.cancel(tasks: [task], keepsParts: keepsPart), for: task)
    }

    /// Has what has come be handed over when it is cancelled.
    func keepPart() {
        reported.withLock { $0.keepsPart = true }
    }

    /// Takes how a download that was made from resume data has begun, once.
    ///
    /// - Parameter progress: what the transfer process says.
    /// - Returns: whether that is news.
    func noteBeginning(_ progress: BackgroundProgress) -> Bool {
        reported.withLock { reported in
            guard progress.resumedAt != nil || progress.startOver != nil,
                !reported.isBeginningReported
            else { return false }
            reported.isBeginningReported = true
            reported.received = progress.resumedAt ?? 0
            return true
        }
    }

    /// Nothing is asked in this process.
    func decide(_ disposition: BodyDisposition) {}

    func decide(_ disposition: TrustDisposition, about trust: ServerTrust) {}

    func consumed(_ bytes: Int) {}

    /// It is settled when the transfer process is told of the task.
    func setPriority(_ priority: Float) {}

    /// Whether the delegate is to be told how far it is; not while it is about to be.
    func mayQueue() -> Bool {
        reported.withLock { reported in
            defer { reported.isQueued = true }
            return !reported.isQueued
        }
    }

    /// The bytes since the delegate was told last.
    func advance(sent: Int64, received: Int64) -> (sent: Int64, received: Int64) {
        reported.withLock { reported in
            defer {
                (reported.sent, reported.received, reported.isQueued) = (sent, received, false)
            }
            return (
                sent.subtracting(clamping: reported.sent),
                received.subtracting(clamping: reported.received)
            )
        }
    }

    /// What has kept a response's body from being read in this program.
    var unread: URLError? {
        get { reported.withLock { $0.unread } }
        set { reported.withLock { $0.unread = newValue } }
    }
}

// A task that another process carries out: what is asked of it goes there, and its end comes from there.
extension TaskLifecycle {
    /// Leaves the task to another process, before anything of it has begun.
    mutating func moveToTransferProcess(isSuspended: Bool) {
        state = .inTransferProcess
        self.isSuspended = isSuspended
    }

    /// Takes where the task stands there, by another client's request.
    mutating func noteStatus(isSuspended: Bool) {
        guard case .inTransferProcess = state, !isCancelled else { return }
        self.isSuspended = isSuspended
    }

    /// Takes what the task has come to there.
    ///
    /// - Parameters:
    ///   - error: what it has failed with; `nil`: it is whole.
    ///   - event: which event of its session's says so; `nil`: none, it ends in this process.
    /// - Returns: what is to be done; nothing where it has ended.
    mutating func endedInTransferProcess(
        _ error: URLError?,
        _ event: URLSession.BackgroundEvent? = nil
    ) -> [Action] {
        guard case .inTransferProcess = state else { return [] }
        state = .ended
        var hopEnd = HopEnd()
        hopEnd.error = error
        hopEnd.event = event
        // The transfer process has not taken the part that the task was to go on with.
        let isReturned = event == nil && isCancelled && producesResumeData
        return [
            .complete(error, hopEnd, isReturned ? .partial(resumePoint?.data.returned) : .nothing)
        ]
    }
}
