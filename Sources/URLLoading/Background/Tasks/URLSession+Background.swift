import FoundationEssentials
import Synchronization

// A session whose tasks a transfer process carries out.
extension URLSession {
    /// Detaches from a background session, whose transfers continue.
    ///
    /// Not in Foundation. The delegate gets no more calls for its tasks. The next session with the same
    /// identifier, in this run of the program or another, gets the remaining events. All earlier calls of
    /// the program, including new tasks, are on the disk when `urlSession(_:didBecomeInvalidWithError:)` is
    /// called. Task objects keep their state, and further calls on them have no effect.
    ///
    /// Does nothing to sessions of other kinds.
    public func detach() {
        guard let attachment, locked.withLock({ $0.lifecycle.detach() }) else { return }
        transport.finish()
        // The tasks are released once no event is delivered any more. An event before that finds its task,
        // and reaches the delegate or stays for the next program.
        attachment.conclude(detaching: true) { [self] in
            // Releasing a task may run other code, which must not run under the lock.
            let tasks = locked.withLock { locked in
                defer { locked.tasks = [:] }
                return locked.tasks
            }
            withExtendedLifetime(tasks) {}
            becomeInvalid()
        }
    }

    /// Detaches within a delegate call for an event that the delegate could not process: the next client
    /// gets the event again.
    package func detachRefusingEvent() {
        attachment?.refuseEvent()
        detach()
    }

    /// The last event of a background session that was reported to the delegate; `nil` without a session.
    ///
    /// The number of the current event is in ``backgroundEvent``.
    package var backgroundCursor: BackgroundCursor? {
        guard let attachment else { return nil }
        return attachment.sync { attachment in
            attachment.token.map { BackgroundCursor(token: $0, sequence: attachment.reported) }
        }
    }

    /// A background session's status when this program attached, and whether it had no tasks.
    package var backgroundStatus: (BackgroundStatus, isEmpty: Bool)? {
        attachment?.sync { $0.status }
    }

    /// Whether a task that has not ended satisfies a condition.
    package func hasTask(_ isWanted: (URLSessionTask) -> Bool) -> Bool {
        let tasks = locked.withLock { $0.tasks }
        return tasks.values.contains(where: isWanted)
    }

    func task(_ identifier: Int) -> URLSessionTask? {
        locked.withLock { $0.tasks[identifier] }
    }

    /// Becomes invalid, and ends all tasks with the error, because their events can no longer arrive.
    func fail(_ error: URLError) {
        let tasks = locked.withLock { locked in
            locked.failure = locked.failure ?? error
            act(locked.lifecycle.finishTasks())
            return Array(locked.tasks.values)
        }
        for task in tasks { task.endInTransferProcess(error) }
    }

    /// Adopts a task of the transfer process; returns whether the session still takes tasks.
    func adopt(_ status: BackgroundStatus.Task, from attachment: BackgroundAttachment) -> Bool {
        let record = status.record
        // If this build cannot read the task's URL, the task ends with an error, which the delegate gets.
        let request = record.request.request ?? URLRequest(url: URL(filePath: "/"))
        let body = record.body.map { TaskBody.file(URL(filePath: $0.file.path)) } ?? .none
        let number = record.identifier
        return locked.withLock { locked in
            guard locked.lifecycle.adopt(number) else { return false }
            let kind: URLSessionTask.Type =
                record.kind == .download ? URLSessionDownloadTask.self : URLSessionUploadTask.self
            let task = kind.init(number, request, body: body, output: .delegates, in: self)
            task.moveToTransferProcess(attachment, as: status)
            locked.tasks[number] = task
            return true
        }
    }

    /// The beginning of a download with resume data; the transfer process finds the part by its path.
    ///
    /// The data is from this session, another background session, or any session that has its temporary
    /// files in this one's folder for them.
    func backgroundBeginning(_ data: ResumeData) -> TaskLifecycle.Beginning {
        guard case .temporary(let name) = data.file else { return .startOver(.partialFileChanged) }
        for folder in [attachment?.partsFolder, settings.temporaryFolder].compactMap({ $0 }) {
            var data = data
            data.file = .partFile("\(folder)/\(name)")
            if let point = ResumePoint(data, temporaryFolder: folder) { return .at(point) }
        }
        return .startOver(.partialFileChanged)
    }

    func count(upTo number: Int) {
        locked.withLock { $0.lifecycle.count(upTo: number) }
    }

    /// Reports an event to the delegate, and then calls ``BackgroundAttachment/didReport(_:)``.
    ///
    /// Returns whether the event's task exists; if not, the event must not be acknowledged.
    func report(_ delivery: BackgroundDelivery) -> Bool {
        let event = BackgroundEvent(
            sequence: delivery.sequence,
            isRedelivery: delivery.isRedelivery
        )
        switch delivery.event {
        case .finished(let number, let file, let response):
            guard let task = task(number) else { return false }
            task.reportFinished(file, response, event)
            return true
        case .completed(let number, let error, let response, let metrics):
            let metrics = metrics.flatMap { StoredMetrics(stored: $0) }?.metrics
            return task(number)?.endInTransferProcess(error?.urlError, response, event, metrics)
                == true
        case .allDone:
            queue.async { [self] in
                reporting(event) {
                    delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: self)
                }
            }
            return true
        }
    }
}

extension URLSession {
    /// An event of a background session: a delegate call that is made once, even if processes crash.
    public struct BackgroundEvent: Sendable, Hashable {
        /// Its number in the session, from 1.
        ///
        /// A delegate that records its work under this number does no work twice.
        public let sequence: Int
        /// Whether an earlier run of the program may have had this call, and ended before the call
        /// returned.
        public let isRedelivery: Bool
    }

    /// The event of the current delegate call; `nil` outside such a call.
    ///
    /// Not in Foundation, and `nil` in other than background sessions. Events are `didFinishDownloadingTo`
    /// (for uploads, the response and its body), `didCompleteWithError` and `urlSessionDidFinishEvents`. A
    /// call whose cause is in this program alone, such as a task that cannot be made, is not an event.
    public var backgroundEvent: BackgroundEvent? {
        locked.withLock { $0.event }
    }

    /// Calls the delegate, on its queue, for an event, which counts as reported when the call returns.
    func reporting(_ event: BackgroundEvent?, _ body: () -> Void) {
        guard let event else { return body() }
        during(event, body)
        attachment?.didReport(event.sequence)
    }

    /// Calls the delegate, on its queue, for an event that needs further calls.
    func during(_ event: BackgroundEvent, _ body: () -> Void) {
        locked.withLock { $0.event = event }
        body()
        locked.withLock { $0.event = nil }
    }
}
