import Dispatch
public import FoundationEssentials
import Synchronization

// The begin date and the expected byte counts.
extension URLSessionTask {
    /// The earliest date at which the task begins; `nil`: the task begins when the caller resumes it.
    ///
    /// A task that the caller resumes earlier waits, in state `running`. The time limit,
    /// ``URLSessionConfiguration/timeoutIntervalForResource``, starts at the date. Before the task begins,
    /// it asks its delegate (`willBeginDelayedRequest`), even if the date has already passed. Changes after
    /// that have no effect. The task compares the date with the wall clock.
    ///
    /// In a background session a task with a future date fails on `resume()`, with `resourceUnavailable`:
    /// the transfer process does not support dates. Default: `nil`.
    public var earliestBeginDate: Date? {
        get { locked.withLock { $0.earliestBeginDate } }
        set {
            apply { locked in
                locked.earliestBeginDate = newValue
                return locked.lifecycle.dateMayHaveCome(nil, delay: locked.delay)
            }
        }
    }

    /// The most body bytes that the program expects to send; ``NSURLSessionTransferSizeUnknown``: unknown.
    ///
    /// ``progress`` uses this number where the body's length is unknown. Default: unknown.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { locked.withLock { $0.clientExpectsToSend } }
        set { locked.withLock { $0.clientExpectsToSend = newValue } }
    }

    /// The most body bytes that the program expects to receive; ``NSURLSessionTransferSizeUnknown``:
    /// unknown.
    ///
    /// ``progress`` uses this number where the response states no length. Default: unknown.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { locked.withLock { $0.clientExpectsToReceive } }
        set { locked.withLock { $0.clientExpectsToReceive = newValue } }
    }

    /// Whether a data task's delegate receives the body in pieces, as it arrives.
    ///
    /// With `false` the body is buffered in memory and delivered in one piece, just before the task's
    /// end. A task that fails then delivers no body, and a multipart body is not split. Set it before
    /// the first `resume()`. No effect on tasks with a completion handler. Default: `true`.
    public var prefersIncrementalDelivery: Bool {
        get { locked.withLock { $0.prefersIncrementalDelivery } }
        set { locked.withLock { $0.prefersIncrementalDelivery = newValue } }
    }

    /// Compares the date with the clock again after the delay, because the clock may have been changed.
    func awaitDate(_ delay: Duration, _ number: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(
            wallDeadline: .now() + delay / .seconds(1)
        ) { [weak self] in
            self?.apply { $0.lifecycle.dateMayHaveCome(number, delay: $0.delay) }
        }
    }

    func askDelayed(_ request: URLRequest, _ locked: borrowing Locked) {
        let delegate = effectiveDelegate(locked)
        session.queue.async { [self] in
            guard let delegate else {
                return apply { $0.lifecycle.resolveDelay(.continueLoading, nil) }
            }
            delegate.urlSession(session, task: self, willBeginDelayedRequest: request) {
                disposition,
                own in
                let isUpload = self is URLSessionUploadTask
                let body = isUpload ? nil : own.map(TaskBody.init)
                let completed = own.map(self.completed)
                self.apply { $0.lifecycle.resolveDelay(disposition, completed, ownBody: body) }
            }
        }
    }

    /// Reports an interim response.
    func hop(_ id: HopID, didReceiveInformational head: HopHead) {
        locked.withLock { locked in
            guard let url = locked.lifecycle.currentRequest.url else { return }
            let response = HTTPURLResponse(url, head)
            report(locked) { [self] in
                $0.urlSession($1, task: self, didReceiveInformationalResponse: response)
            }
        }
    }
}

extension URLSessionTask.Locked {
    /// The time until the earliest begin date; zero: the date has passed; `nil`: no date is set.
    var delay: Duration? {
        // Limited to about thirty years, a value that `DispatchWallTime` can represent.
        earliestBeginDate.map { .seconds(min(max($0.timeIntervalSinceNow, 0), 1e9)) }
    }
}

extension URLSession {
    /// What to do with the request of a delayed task.
    public enum DelayedRequestDisposition: Int, Sendable {
        /// Load the request unchanged.
        case continueLoading = 0
        /// Load another request instead.
        case useNewRequest = 1
        /// Cancel the task.
        case cancel = 2
    }
}
