import Dispatch
import FoundationEssentials
import Synchronization

// A session whose tasks are carried out by a process of their own.
extension URLSession {
    /// Lets go of a background session, whose transfers go on.
    ///
    /// Not in Foundation. The delegate is told nothing more of its tasks. The next session of the
    /// same identifier, in this run of the program or another, is told the rest. What the program
    /// has ordered until now, tasks that were made included, is on the disk when
    /// `urlSession(_:didBecomeInvalidWithError:)` is called. Tasks stay as they are, and take no
    /// orders any more.
    ///
    /// Does nothing to sessions of other kinds.
    public func detach() {
        guard let attachment, locked.withLock({ $0.lifecycle.detach() }) else { return }
        transport.finish()
        // The tasks are forgotten when nothing is delivered any more: an event that comes meanwhile
        // finds its task, and so reaches the delegate, or stays for the next program.
        attachment.conclude(detaching: true) { [self] in
            // What goes with the tasks is not released under the lock.
            let tasks = locked.withLock { locked in
                defer { locked.tasks = [:] }
                return locked.tasks
            }
            withExtendedLifetime(tasks) {}
            becomeInvalid()
        }
    }

    /// Lets go of a background session within a call that tells of an event, which could not be handed
    /// on: the next client is told of it again.
    package func detachRefusingEvent() {
        attachment?.refuseEvent()
        detach()
    }

    /// How far the delegate has been told of a background session's events; `nil` where there is no
    /// session.
    ///
    /// It is the background session's own cursor: events have their number from
    /// ``backgroundEvent``.
    package var backgroundCursor: BackgroundCursor? {
        guard let attachment else { return nil }
        return attachment.sync { attachment in
            attachment.token.map { BackgroundCursor(token: $0, sequence: attachment.reported) }
        }
    }

    /// How a background session was when this program attached to it, and whether it had no tasks.
    package var backgroundStatus: (BackgroundStatus, isEmpty: Bool)? {
        attachment?.sync { $0.status }
    }

    /// Whether one of the tasks that have not ended is as is asked.
    package func hasTask(_ isWanted: (URLSessionTask) -> Bool) -> Bool {
        let tasks = locked.withLock { $0.tasks }
        return tasks.values.contains(where: isWanted)
    }

    /// A task that has not ended.
    func task(_ identifier: Int) -> URLSessionTask? {
        locked.withLock { $0.tasks[identifier] }
    }

    /// Becomes invalid, and ends all tasks, since nothing can be known of them any more.
    func fail(_ error: URLError) {
        let tasks = locked.withLock { locked in
            locked.failure = locked.failure ?? error
            act(locked.lifecycle.finishTasks())
            return Array(locked.tasks.values)
        }
        for task in tasks { task.endInTransferProcess(error) }
    }

    /// Takes a task that is there already; whether it could.
    func adopt(_ status: BackgroundStatus.Task, from attachment: BackgroundAttachment) -> Bool {
        let record = status.record
        // A task whose URL this build cannot read ends with an error, which the delegate is told too.
        let request = record.request.request ?? URLRequest(url: URL(filePath: "/"))
        return locked.withLock { locked in
            guard locked.lifecycle.adopt(record.identifier) else { return false }
            let task: URLSessionTask =
                switch record.kind {
                case .download:
                    URLSessionDownloadTask(
                        record.identifier,
                        request,
                        body: .none,
                        output: .delegates,
                        in: self
                    )
                case .upload:
                    URLSessionUploadTask(
                        record.identifier,
                        request,
                        body: record.body.map { .file(URL(filePath: $0.file.path)) } ?? .none,
                        output: .delegates,
                        in: self
                    )
                }
            task.moveToTransferProcess(attachment, as: status)
            locked.tasks[record.identifier] = task
            return true
        }
    }

    /// Where a background session's download goes on: the transfer process finds the part by its path.
    ///
    /// - Parameter data: from this session, another background session, or any session that has its
    ///   temporary files in this one's folder for them.
    /// - Returns: where it begins.
    func backgroundBeginning(_ data: ResumeData) -> TaskLifecycle.Beginning {
        guard case .temporary(let name) = data.file else { return .startOver(.partialFileChanged) }
        for folder in [attachment?.partsFolder, settings.temporaryFolder].compactMap({ $0 }) {
            var data = data
            data.file = .partFile("\(folder)/\(name)")
            if let point = ResumePoint(data, temporaryFolder: folder) { return .at(point) }
        }
        return .startOver(.partialFileChanged)
    }

    /// Has the next task's number be above one.
    func count(upTo number: Int) {
        locked.withLock { $0.lifecycle.count(upTo: number) }
    }

    /// Has a task that was just made carried out by the transfer process, or ends it.
    func hand(_ task: URLSessionTask, to attachment: BackgroundAttachment) {
        do throws(URLError) {
            try attachment.take(task, task.draft(), settings)
        } catch {
            task.endInTransferProcess(error)
        }
    }

    /// Tells the delegate of an event; ``BackgroundAttachment/told(_:)`` is called when it has been.
    ///
    /// - Parameter delivery: the event.
    /// - Returns: whether there is a task that it is about; if not, it is not told, and must not be
    ///   acknowledged.
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
    /// An event of a background session: one of the calls that its delegate gets once, whatever
    /// happens to the processes in between.
    public struct BackgroundEvent: Sendable, Hashable {
        /// Its number in the session, from 1.
        ///
        /// A delegate that keeps what it did under this number does nothing twice.
        public let sequence: Int
        /// Whether it may have been told before, to a run of the program that ended without
        /// having come to the end of the call.
        public let isRedelivery: Bool
    }

    /// The event that the delegate is being told; `nil` outside such a call.
    ///
    /// Not in Foundation, and `nil` in sessions that are no background sessions. Events are
    /// `didFinishDownloadingTo` (of uploads, the response and its body), `didCompleteWithError` and
    /// `urlSessionDidFinishEvents`. What happens in this program alone, such as a task that cannot
    /// be made, is none.
    public var backgroundEvent: BackgroundEvent? {
        locked.withLock { $0.event }
    }

    /// Calls the delegate, on its queue, about an event; that counts as told when this returns.
    func reporting(_ event: BackgroundEvent?, _ body: () -> Void) {
        guard let event else { return body() }
        during(event, body)
        attachment?.didReport(event.sequence)
    }

    /// Calls the delegate, on its queue, about an event of which there is more.
    func during(_ event: BackgroundEvent, _ body: () -> Void) {
        locked.withLock { $0.event = event }
        body()
        locked.withLock { $0.event = nil }
    }
}
