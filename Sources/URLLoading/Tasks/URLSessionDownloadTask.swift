import Dispatch
public import FoundationEssentials
import Synchronization

/// A task whose response goes to a file, as Foundation's `URLSessionDownloadTask`.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Cancels the task and keeps the received bytes for `downloadTask(withResumeData:)`.
    ///
    /// - Parameter completionHandler: takes the resume data, on the delegate queue, before the task
    ///   completes with `cancelled`. It takes `nil` where a later task could only start over: no byte was
    ///   received, the request was not a plain GET, or the response had no strong validator. A strong `ETag`
    ///   is one, and so is a settled `Last-Modified`. It also takes `nil` where the task has already ended.
    ///
    /// Resume data of a background session is valid only in background sessions, for 30 days.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
    {
        apply { locked in
            if case .ended = locked.lifecycle.state {
                session.queue.async { completionHandler(nil) }
            } else {
                locked.resumeDataHandlers.append(completionHandler)
            }
            (locked.hop as? BackgroundHop)?.keepPart()
            return locked.lifecycle.cancel(producingResumeData: true)
        }
    }

    /// The open file at the location that the delegate receives; open only during that call.
    ///
    /// Another process may put another file at the location meanwhile.
    package var finishedFile: FinishedFile? {
        locked.withLock { $0.finishedFile }.map { FinishedFile($0) }
    }

    /// Whether the whole body had arrived before the delegate was asked for its destination.
    package var hasWholeBody: Bool {
        locked.withLock { $0.hop?.responseControl?.isWhole.load(ordering: .relaxed) ?? false }
    }

    /// Lets a part file with the whole body have no name before the delegate moves ``finishedFile``.
    ///
    /// The delegate calls it before it passes the destination, if ``hasWholeBody``, and lets the file
    /// replace no other.
    package func leaveUnnamed() {
        locked.withLock {
            $0.hop?.responseControl?.isNamedByDelegate.store(true, ordering: .relaxed)
        }
    }

    /// Cancels the task and keeps the received bytes, as ``cancel(byProducingResumeData:)``.
    @discardableResult
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
