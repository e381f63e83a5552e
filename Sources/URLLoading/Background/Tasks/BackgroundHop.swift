import FoundationEssentials
import Synchronization

/// The hop of a task that a transfer process carries out; its calls are sent there as requests.
final class BackgroundHop: RunningHop {
    private struct Reported {
        var sent: Int64
        var received: Int64
        var isQueued = false
        var unread: URLError?
        var keepsPart = false
        /// Whether the delegate was notified that the download was resumed or started over.
        var isBeginningReported = false
    }

    private let task: Int
    /// The destination of a command's download.
    let destination: String?
    /// Whether a file that exists at the destination is kept.
    let keepsExisting: Bool
    private let attachment: BackgroundAttachment
    private let reported: Mutex<Reported>

    /// Bytes that the first status counts are not reported.
    init(_ task: Int, _ attachment: BackgroundAttachment, as status: BackgroundStatus.Task?) {
        self.task = task
        self.attachment = attachment
        destination = status?.destination
        keepsExisting = status?.record.filing?.keepsExisting == true
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

    /// Makes a later cancel request hand over the part.
    func keepPart() {
        reported.withLock { $0.keepsPart = true }
    }

    /// Notes, once, how a download with resume data has begun; returns whether that is new.
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

    /// Not used: the transfer process decides.
    func decide(_ disposition: BodyDisposition) {}

    func decide(_ disposition: TrustDecision, about trust: ServerTrust) {}

    func consumed(_ bytes: Int) {}

    /// Not used: the transfer process gets the priority when the task is made.
    func setPriority(_ priority: Float) {}

    /// Whether to queue a progress report for the delegate; only one is queued at a time.
    func mayQueue() -> Bool {
        reported.withLock { reported in
            defer { reported.isQueued = true }
            return !reported.isQueued
        }
    }

    /// The bytes since the delegate's last progress report.
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

    /// The error that has kept this program from reading the response's body.
    var unread: URLError? {
        get { reported.withLock { $0.unread } }
        set { reported.withLock { $0.unread = newValue } }
    }
}

// The life cycle of a task that another process carries out, and whose end comes from there.
extension TaskLifecycle {
    /// Leaves the task to another process, before the task has begun.
    mutating func moveToTransferProcess(isSuspended: Bool) {
        state = .inTransferProcess
        self.isSuspended = isSuspended
    }

    /// Notes whether another client has suspended the task there.
    mutating func noteStatus(isSuspended: Bool) {
        guard case .inTransferProcess = state, !isCancelled else { return }
        self.isSuspended = isSuspended
    }

    /// Notes the end of the task, by an event or in this process only; no actions if it had ended.
    mutating func endedInTransferProcess(
        _ error: URLError?,
        _ event: URLSession.BackgroundEvent? = nil
    ) -> [Action] {
        guard case .inTransferProcess = state else { return [] }
        state = .ended
        let hopEnd = HopEnd()
        hopEnd.error = error
        hopEnd.event = event
        // The transfer process has not taken over the part of the resume data.
        let isReturned = event == nil && isCancelled && producesResumeData
        return [
            .complete(error, hopEnd, isReturned ? .partial(resumePoint?.data.returned) : .nothing)
        ]
    }
}
