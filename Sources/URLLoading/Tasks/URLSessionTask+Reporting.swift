import Dispatch
import FoundationEssentials

// Events and questions, on the delegate queue. Each is queued under the task's lock, in the order in
// which it happened.
extension URLSessionTask {
    /// The delegate to call for this task: the task's own, which forwards methods that it does not
    /// implement, or else the session's.
    func effectiveDelegate(_ locked: borrowing Locked) -> (any URLSessionTaskDelegate)? {
        locked.delegate ?? session.taskDelegate
    }

    /// The first of the two delegates that is a data delegate.
    func effectiveDataDelegate(_ locked: borrowing Locked) -> (any URLSessionDataDelegate)? {
        locked.delegate as? any URLSessionDataDelegate ?? session.delegateRoles.data
    }

    func effectiveDownloadDelegate(_ locked: borrowing Locked) -> (any URLSessionDownloadDelegate)?
    {
        locked.delegate as? any URLSessionDownloadDelegate ?? session.delegateRoles.download
    }

    /// Queues a call of the delegate, if there is one.
    func report(
        _ locked: borrowing Locked,
        _ call: @escaping @Sendable (any URLSessionTaskDelegate, URLSession) -> Void
    ) {
        guard let delegate = effectiveDelegate(locked) else { return }
        session.queue.async { [session] in call(delegate, session) }
    }

    func askBody(_ locked: borrowing Locked) {
        let delegate = effectiveDelegate(locked)
        session.queue.async { [self] in
            guard let delegate else { return apply { $0.lifecycle.resolveBody(nil) } }
            delegate.urlSession(session, task: self) { stream in
                self.apply { $0.lifecycle.resolveBody(stream) }
            }
        }
    }

    func askRedirect(
        _ response: HTTPURLResponse,
        _ request: URLRequest,
        _ id: HopID,
        _ locked: borrowing Locked
    ) {
        let delegate = effectiveDelegate(locked)
        session.queue.async { [self] in
            guard let delegate else { return apply { $0.lifecycle.resolveRedirect(id, request) } }
            delegate.urlSession(
                session,
                task: self,
                willPerformHTTPRedirection: response,
                newRequest: request
            ) { own in
                let finished = own.map { self.completed($0) }
                self.apply { $0.lifecycle.resolveRedirect(id, finished) }
            }
        }
    }

    /// Adds the session's additional header fields to a delegate's request.
    func completed(_ request: URLRequest) -> URLRequest {
        guard let first = originalRequest?.url, let target = request.url else { return request }
        return session.settings.completed(
            request,
            isFirstOrigin: OriginCrossing(from: first, to: target).isSameOrigin
        )
    }

    /// `inout`, as in ``checked(_:_:)``.
    func askResponse(_ response: URLResponse, _ id: HopID, _ locked: inout Locked) {
        let delegate = effectiveDataDelegate(locked)
        session.queue.async { [self] in
            guard let delegate, let task = self as? URLSessionDataTask else {
                return apply { $0.lifecycle.resolveResponse(id, .allow) }
            }
            delegate.urlSession(session, dataTask: task, didReceive: response) { disposition in
                self.apply { $0.lifecycle.resolveResponse(id, disposition) }
            }
        }
    }

    /// `inout`, as in ``checked(_:_:)``.
    func askDestination(_ response: URLResponse, _ id: HopID, _ locked: inout Locked) {
        let delegate = effectiveDownloadDelegate(locked)
        session.queue.async { [self] in
            guard let delegate, let task = self as? URLSessionDownloadTask else {
                return apply { $0.lifecycle.resolveDestination(id, .temporary) }
            }
            delegate.urlSession(session, downloadTask: task, didReceive: response) { destination in
                self.apply { $0.lifecycle.resolveDestination(id, destination) }
            }
        }
    }

    func reportData(_ data: Data, _ locked: borrowing Locked, taken: @escaping @Sendable () -> Void)
    {
        let delegate = effectiveDataDelegate(locked)
        session.queue.async { [self] in
            if let delegate, let task = self as? URLSessionDataTask {
                delegate.urlSession(session, dataTask: task, didReceive: data)
            }
            taken()
        }
    }

    func reportSent(_ bytes: Int64, _ locked: borrowing Locked) {
        let sent = locked.sent
        report(locked) { [self] delegate, session in
            delegate.urlSession(
                session,
                task: self,
                didSendBodyData: bytes,
                totalBytesSent: sent.total,
                totalBytesExpectedToSend: sent.expected
            )
        }
    }

    func reportWritten(_ bytes: Int64, _ locked: borrowing Locked) {
        reportDownload(locked) { delegate, session, task, received in
            delegate.urlSession(
                session,
                downloadTask: task,
                didWriteData: bytes,
                totalBytesWritten: received.total,
                totalBytesExpectedToWrite: received.expected
            )
        }
    }

    func reportResumed(_ locked: borrowing Locked) {
        reportDownload(locked) { delegate, session, task, received in
            delegate.urlSession(
                session,
                downloadTask: task,
                didResumeAtOffset: received.total,
                expectedTotalBytes: received.expected
            )
        }
    }

    /// Queues a report about a download, with the received bytes.
    func reportDownload(
        _ locked: borrowing Locked,
        _ report:
            @escaping @Sendable (
                any URLSessionDownloadDelegate, URLSession, URLSessionDownloadTask, ByteCount
            ) -> Void
    ) {
        guard let delegate = effectiveDownloadDelegate(locked), case .delegates = locked.output
        else { return }
        let received = locked.received
        session.queue.async { [self] in
            guard let task = self as? URLSessionDownloadTask else { return }
            report(delegate, session, task, received)
        }
    }

    func reportStartOver(
        _ reason: DownloadStartOver,
        _ point: ResumePoint?,
        _ locked: borrowing Locked
    ) {
        if let point {
            session.queue.async { [session] in
                point.discardTemporary(in: session.settings.temporaryFolder)
            }
        }
        reportDownload(locked) { delegate, session, task, _ in
            delegate.urlSession(session, downloadTask: task, didStartOver: reason)
        }
    }
}
