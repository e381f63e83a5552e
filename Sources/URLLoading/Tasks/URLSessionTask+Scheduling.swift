import Dispatch
public import FoundationEssentials
import Synchronization

// When a task begins, and what the program expects of it.
extension URLSessionTask {
    /// The date before which the task does not begin; `nil`: it begins when it is resumed.
    ///
    /// A task that is resumed earlier waits, and is `running` meanwhile; the time for the whole,
    /// ``URLSessionConfiguration/timeoutIntervalForResource``, does not count until the date. Before it
    /// begins its delegate is asked (`willBeginDelayedRequest`), also where the date has passed already.
    /// It may be changed until then; afterwards it means nothing. The date is the wall clock's.
    ///
    /// In a background session a date that is to come makes the task fail when it is resumed, with
    /// `resourceUnavailable`: the transfer process keeps no dates. Default: `nil`.
    public var earliestBeginDate: Date? {
        get { locked.withLock { $0.earliestBeginDate } }
        set {
            apply { locked in
                locked.earliestBeginDate = newValue
                return locked.lifecycle.dateMayHaveCome(nil, delay: locked.delay)
            }
        }
    }

    /// The bytes of the request's body that the program expects to send, at most;
    /// ``NSURLSessionTransferSizeUnknown`` where it does not know.
    ///
    /// ``progress`` counts with it where the body has no length of its own. Default: unknown.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { locked.withLock { $0.clientExpectsToSend } }
        set { locked.withLock { $0.clientExpectsToSend = newValue } }
    }

    /// The bytes of the response's body that the program expects, at most;
    /// ``NSURLSessionTransferSizeUnknown`` where it does not know.
    ///
    /// ``progress`` counts with it where the response announces no length. Default: unknown.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { locked.withLock { $0.clientExpectsToReceive } }
        set { locked.withLock { $0.clientExpectsToReceive = newValue } }
    }

    /// Whether a data task's delegate gets the body piece by piece, as it arrives.
    ///
    /// With `false` the body is buffered in memory and delivered in one piece, just before the task's
    /// end. A task that fails delivers nothing then, and a multipart body is not split. Set it before
    /// the first `resume()`. It means nothing to tasks with a completion handler. Default: `true`.
    public var prefersIncrementalDelivery: Bool {
        get { locked.withLock { $0.prefersIncrementalDelivery } }
        set { locked.withLock { $0.prefersIncrementalDelivery = newValue } }
    }

    /// Looks at the date again when it should have come: the clock may have been changed.
    func awaitDate(_ delay: Duration, _ number: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(
            wallDeadline: .now() + delay / .seconds(1)
        ) { [weak self] in
            self?.apply { $0.lifecycle.dateMayHaveCome(number, delay: $0.delay) }
        }
    }

    func askDelayed(_ request: URLRequest, _ locked: borrowing Locked) {
        let delegate = audience(locked)
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
            guard let delegate = audience(locked), let url = locked.lifecycle.currentRequest.url
            else { return }
            let response = HTTPURLResponse(
                url: url,
                statusCode: head.status,
                httpVersion: head.httpVersion,
                reasonPhrase: head.reason,
                headerFields: head.fields
            )
            session.queue.async { [self] in
                delegate.urlSession(
                    session,
                    task: self,
                    didReceiveInformationalResponse: response
                )
            }
        }
    }
}

extension URLSessionTask.Locked {
    /// What is left until the date before which nothing may begin; zero or less: it has come; `nil`: there
    /// is none.
    var delay: Duration? {
        // Some thirty years are for ever, and a number that clocks can be asked for.
        earliestBeginDate.map { .seconds(min(max($0.timeIntervalSinceNow, 0), 1e9)) }
    }
}

extension URLSession {
    /// What to do with the request of a delayed task.
    public enum DelayedRequestDisposition: Int, Sendable {
        /// It is loaded unchanged.
        case continueLoading = 0
        /// Another is loaded in its place.
        case useNewRequest = 1
        /// The task is cancelled.
        case cancel = 2
    }
}
