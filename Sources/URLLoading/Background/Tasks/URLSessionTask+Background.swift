import Dispatch
import FoundationEssentials
import Synchronization

// A task that a transfer process carries out.
extension URLSessionTask {
    /// The task as a draft; throws an error if background sessions do not support the task.
    func draft() throws(URLError) -> BackgroundTaskDraft {
        let (lifecycle, output) = locked.withLock { ($0.lifecycle, $0.output) }
        let request = originalRequest ?? lifecycle.currentRequest
        if case .impossible(let error) = lifecycle.beginning { throw error }
        var file: String?
        if self is URLSessionUploadTask, case .file(let url) = lifecycle.body { file = url.path }
        let hasHandler = if case .delegates = output { false } else { true }
        let blocker: String? =
            if session.delegate == nil {
                "a background session needs a delegate, since it may outlive its program"
            } else if hasHandler {
                "a background session has no completion handlers; it reports to its delegate"
            } else if !session.settings.protocolClasses.isEmpty {
                "a background session cannot load by URLProtocol classes of the program's own"
            } else if self is URLSessionUploadTask {
                file == nil ? "a background session uploads from files only" : nil
            } else if self is URLSessionDownloadTask {
                nil
            } else {
                "a background session has download and upload tasks only"
            }
        if let blocker {
            throw URLError(.resourceUnavailable, detail: blocker, failingURL: request.url)
        }
        var draft = BackgroundTaskDraft(request, sending: file)
        if case .at(let point) = lifecycle.beginning { draft.resumeData = point.data }
        return draft
    }

    /// Reports that the download starts at its first byte although it had resume data, before the task is
    /// sent.
    func reportStartOver() {
        locked.withLock { locked in
            guard case .startOver(let reason) = locked.lifecycle.beginning else { return }
            reportStartOver(reason, nil, locked)
        }
    }

    /// Leaves the task to a transfer process, before it has begun; without a status, the task is new.
    func moveToTransferProcess(
        _ attachment: BackgroundAttachment,
        as status: BackgroundStatus.Task? = nil
    ) {
        locked.withLock { locked in
            locked.lifecycle.moveToTransferProcess(
                isSuspended: status.map { $0.phase == .held } ?? true
            )
            locked.hop = BackgroundHop(taskIdentifier, attachment, as: status)
            guard let status else { return }
            locked.priority = status.record.priority
            locked.taskDescription = status.record.taskDescription
            status.progress.map { locked.note($0) }
        }
    }

    /// The destination of a download in a command's session; `nil` if it is unknown.
    package var backgroundDestination: String? {
        locked.withLock { ($0.hop as? BackgroundHop)?.destination }
    }

    /// Whether a download in a command's session keeps a file that exists at its destination.
    package var keepsBackgroundDestination: Bool {
        locked.withLock { ($0.hop as? BackgroundHop)?.keepsExisting == true }
    }

    func noteStatus(_ status: BackgroundStatus.Task) {
        apply { locked in
            // The transfer process ended before it could hand over the part: the cancel request is
            // repeated.
            if status.phase == .held, locked.lifecycle.isCancelled { return [.cancelHop] }
            if status.phase != .ended {
                locked.lifecycle.noteStatus(isSuspended: status.phase == .held)
            }
            return []
        }
    }

    /// Takes the task's progress, and reports it as often as the delegate can keep up.
    func noteProgress(_ progress: BackgroundProgress) {
        locked.withLock { locked in
            guard case .inTransferProcess = locked.lifecycle.state,
                let hop = locked.hop as? BackgroundHop
            else { return }
            if hop.noteBeginning(progress) {
                locked.received.total = progress.resumedAt ?? 0
                locked.received.expected = progress.expectedToReceive
                if let reason = progress.startOver {
                    reportStartOver(DownloadStartOver(stored: reason), nil, locked)
                } else {
                    reportResumed(locked)
                }
            }
            locked.note(progress)
            guard hop.mayQueue() else { return }
            session.queue.async { [self] in reportProgress(hop) }
        }
    }

    func noteWaiting() {
        locked.withLock { locked in
            guard case .inTransferProcess = locked.lifecycle.state else { return }
            reportWaiting(locked)
        }
    }

    private func reportProgress(_ hop: BackgroundHop) {
        let (sent, received, delegate, downloadDelegate) = locked.withLock {
            ($0.sent, $0.received, effectiveDelegate($0), effectiveDownloadDelegate($0))
        }
        let step = hop.advance(sent: sent.total, received: received.total)
        if step.sent > 0 {
            delegate?.urlSession(
                session,
                task: self,
                didSendBodyData: step.sent,
                totalBytesSent: sent.total,
                totalBytesExpectedToSend: sent.expected
            )
        }
        if step.received > 0, let task = self as? URLSessionDownloadTask {
            downloadDelegate?.urlSession(
                session,
                downloadTask: task,
                didWriteData: step.received,
                totalBytesWritten: received.total,
                totalBytesExpectedToWrite: received.expected
            )
        }
    }

    /// Ends the task, by an event of the transfer process or, without one, in this program only.
    ///
    /// Returns whether the task had not ended before; then the delegate is called.
    @discardableResult
    func endInTransferProcess(
        _ error: URLError?,
        _ response: StoredResponse? = nil,
        _ event: URLSession.BackgroundEvent? = nil,
        _ metrics: URLSessionTaskMetrics? = nil
    ) -> Bool {
        locked.withLock { locked in
            locked.metrics.take(metrics)
            if let received = response?.urlResponse { locked.response = received }
            let unread = (locked.hop as? BackgroundHop)?.unread
            let actions = locked.lifecycle.endedInTransferProcess(error ?? unread, event)
            act(actions, &locked)
            return !actions.isEmpty
        }
    }

    /// Notes that the delegate did not get all of the response's body, which makes the task fail.
    func noteUnread(_ error: URLError) {
        locked.withLock { ($0.hop as? BackgroundHop)?.unread = error }
    }

    /// Reports a complete body: a download's file, or an upload's response with its body.
    func reportFinished(
        _ file: BackgroundFile,
        _ response: StoredResponse?,
        _ event: URLSession.BackgroundEvent
    ) {
        locked.withLock { locked in
            if let received = response?.urlResponse { locked.response = received }
            locked.received = ByteCount(
                total: file.size,
                expected: max(locked.received.expected, file.size)
            )
            let delegate = effectiveDataDelegate(locked)
            let downloadDelegate = effectiveDownloadDelegate(locked)
            let hop = locked.hop as? BackgroundHop
            let received = locked.response
            session.queue.async { [self] in
                if let hop { reportProgress(hop) }
                if let task = self as? URLSessionDataTask, let delegate {
                    return task.reportResponse(received, file, event, delegate)
                }
                session.reporting(event) {
                    guard let task = self as? URLSessionDownloadTask else { return }
                    downloadDelegate?.urlSession(
                        session,
                        downloadTask: task,
                        didFinishDownloadingTo: URL(filePath: file.path)
                    )
                }
            }
        }
    }
}

extension URLSessionTask.Locked {
    mutating func note(_ progress: BackgroundProgress) {
        sent = .init(total: progress.sent, expected: progress.expectedToSend)
        received = .init(total: progress.received, expected: progress.expectedToReceive)
    }
}

// Challenges and responses for the delegate of a task that a transfer process carries out.
extension URLSessionTask {
    /// Asks the delegate for a credential, as for other tasks.
    ///
    /// A stored credential is proposed by the same rule: never to a server that a redirect has chosen, if
    /// it would be sent in clear text.
    func ask(_ record: ChallengeRecord, completionHandler: @escaping ChallengeCompletion) {
        let space = record.space
        let ask: @Sendable (URLCredential?) -> Void = { [self] proposed in
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: proposed,
                previousFailureCount: record.failures,
                failureResponse: nil,
                error: nil
            )
            locked.withLock { locked in
                self.ask(challenge, locked) { disposition, own in
                    if disposition == .performDefaultHandling, let proposed {
                        return completionHandler(.useCredential, proposed)
                    }
                    // A credential trusts a server only for the certificates of the challenge.
                    if let trust = space.serverTrust, disposition == .useCredential,
                        own?.trust != trust
                    {
                        return completionHandler(.performDefaultHandling, nil)
                    }
                    completionHandler(disposition, disposition == .useCredential ? own : nil)
                }
            }
        }
        guard let storage = session.settings.credentialStorage, record.failures == 0,
            record.wantsPassword,
            locked.withLock({ $0.lifecycle.authentication.maySendCredentials(in: space) })
        else { return ask(nil) }
        // The key store may block.
        storage.queue.async { ask(storage.defaultCredential(for: space)) }
    }
}

extension URLSessionDataTask {
    private static let pieceSize = 64 << 10

    /// Reports a response and its body, on the delegate queue.
    ///
    /// The request is over: another disposition than `allow` makes the task fail, without the body.
    func reportResponse(
        _ response: URLResponse?,
        _ file: BackgroundFile,
        _ event: URLSession.BackgroundEvent,
        _ delegate: any URLSessionDataDelegate
    ) {
        let finish: @Sendable (URLSession.ResponseDisposition) -> Void = { [self] disposition in
            session.queue.async { [self] in
                session.reporting(event) {
                    switch disposition {
                    case .allow: reportBody(file, delegate)
                    case .cancel: noteUnread(URLError(.cancelled))
                    case .becomeDownload:
                        let words = "the response to a background upload cannot become a download"
                        noteUnread(URLError(.resourceUnavailable, detail: words))
                    }
                }
            }
        }
        guard let response else { return finish(.allow) }
        let once = DelegateReply(or: .allow, finish)
        session.during(event) {
            delegate.urlSession(session, dataTask: self, didReceive: response) { disposition in
                once.give(disposition)
            }
        }
    }

    private func reportBody(_ file: BackgroundFile, _ delegate: any URLSessionDataDelegate) {
        do throws(URLError) {
            let body = try FileBodyStream(URL(filePath: file.path))
            var space = [UInt8](repeating: 0, count: Self.pieceSize)
            while case .bytes(let count) = try body.read(into: &space) {
                delegate.urlSession(session, dataTask: self, didReceive: Data(space[..<count]))
            }
        } catch {
            noteUnread(error)
        }
    }
}

extension FileBodyStream {
    fileprivate func read(into space: inout [UInt8]) throws(URLError) -> HTTPBodyStreamRead {
        let result = space.withUnsafeMutableBytes { bytes in
            Result { () throws(URLError) in try read(into: bytes) }
        }
        return try result.get()
    }
}
