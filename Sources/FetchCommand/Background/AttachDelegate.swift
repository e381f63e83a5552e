import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

/// Reports a background session's events and progress.
final class AttachDelegate: URLSessionDataDelegate, TaskReporter {
    typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    struct Outcome {
        /// The gravest status of the delivered results.
        var worst = ExitStatus.success
        var count = JobCount()
        var hasWriteFailure = false
        var isOutputClosed = false
        var isInvalid = false
        /// The tasks that wait for a password; releasing a completion would settle the challenge.
        var openChallenges: [Int: (run: TaskRun, completion: Completion)] = [:]
        var failure: URLError?
    }

    /// A response that arrived with an event of the session.
    private struct Response {
        /// The event, if no line has its number yet.
        var event: URLSession.BackgroundEvent?
        /// The bytes of its body written so far.
        var bytes: Int64 = 0
    }

    private let plan: AttachPlan
    let printer: Printer
    let authenticator: Authenticator
    private let runs = Mutex<[Int: TaskRun]>([:])
    /// The reported responses of tasks that have not ended, by task number.
    private let responses = Mutex<[Int: Response]>([:])
    private let state = Mutex(Outcome())
    /// Rung when the session is over, or a delegate call was made.
    private let waiter: Waiter

    init(_ plan: AttachPlan, _ printer: Printer, _ waiter: Waiter) {
        self.plan = plan
        self.printer = printer
        self.waiter = waiter
        authenticator = Authenticator(plan.authentication, printer)
    }

    var outcome: Outcome { state.withLock { $0 } }

    /// The run that messages use for a task; `nil` if its URL cannot be shown.
    func run(_ task: URLSessionTask) -> TaskRun? {
        runs.withLock { runs in
            if let known = runs[task.taskIdentifier] { return known }
            let path = task.backgroundDestination
            guard let made = TaskPlan(background: task, path, plan.authentication) else {
                return nil
            }
            let run = TaskRun(made, isAmongMany: true, isInBackground: true)
            if let path { run.change { $0.naming.chosen = path } }
            runs[task.taskIdentifier] = run
            printer.begin(run)
            return run
        }
    }

    private func note(_ change: (inout Outcome) -> Void) {
        state.withLock { change(&$0) }
        waiter.ring()
    }

    /// Writes an event, by default that of the call; if that fails, detaches, so that it is kept.
    private func report(
        _ event: SessionEvent,
        of session: URLSession,
        as delivery: URLSession.BackgroundEvent? = nil
    ) {
        var event = event
        guard let delivery = delivery ?? session.backgroundEvent,
            let cursor = session.backgroundCursor
        else { return printer.event(event) }
        event.delivery = (cursor.token, delivery)
        guard !printer.deliver(event) else { return }
        note { $0.hasWriteFailure = true }
        session.detachRefusingEvent()
    }
}

// The session.
extension AttachDelegate {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        report(SessionEvent(.didFinishEvents, nil, [:], method: #function), of: session)
        waiter.ring()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        printer.event(.didBecomeInvalidWithError, nil, ["error": .error(error)])
        note { outcome in
            outcome.isInvalid = true
            outcome.failure = error as? URLError
        }
    }
}

// Its tasks.
extension AttachDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Completion
    ) {
        let method = #function
        guard let run = run(task) else { return completionHandler(.rejectProtectionSpace, nil) }
        authenticator.handle(challenge, of: task, run) { [self] decision in
            printer.event(.didReceiveChallenge(task, challenge, decision, method: method))
            // Without a credential, the task keeps waiting for a client that has one.
            let isOpen =
                decision.disposition == .rejectProtectionSpace
                && !run.get(\.attempt.authentication.isDeclined)
            guard isOpen else {
                return completionHandler(decision.disposition, decision.credential)
            }
            note { $0.openChallenges[task.taskIdentifier] = (run, completionHandler) }
        }
    }

    func willCount(_ run: TaskRun, upTo total: Int64, of expected: Int64, new bytes: Int64) {
        guard run.get(\.bytes) == 0 else { return }
        run.progress.receive(of: expected, from: total.subtracting(clamping: bytes))
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        reportResponse(downloadTask)
        let arguments: KeyValuePairs = ["location": EventValue.plain(location.path)]
        report(SessionEvent(.didFinishDownloadingTo, downloadTask, arguments), of: session)
        run(downloadTask)?.change { $0.naming.saved = location.path }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        printer.event(.didReceiveResponse, dataTask, ["response": .response(response)])
        responses.withLock {
            $0[dataTask.taskIdentifier] = Response(event: session.backgroundEvent)
        }
        completionHandler(.allow)
    }

    /// Reports a response that arrived while no command was attached, once.
    private func reportResponse(_ task: URLSessionTask) {
        guard let response = task.response else { return }
        let isNew = responses.withLock { responses in
            defer { responses[task.taskIdentifier, default: Response()].event = nil }
            return responses[task.taskIdentifier] == nil
        }
        guard isNew else { return }
        let kind = task is URLSessionDownloadTask ? "downloadTask" : "dataTask"
        let method = "urlSession(_:\(kind):didReceive:completionHandler:)"
        printer.event(.didReceiveResponse, task, ["response": .response(response)], method: method)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !outcome.isOutputClosed else { return }
        do {
            // The response to an upload is in its file, or an existing one was kept.
            if run(dataTask)?.plan.kind.isFile != true {
                try data.withUnsafeBytes { try OutputDescriptor.standardOutput.write($0) }
            }
            run(dataTask)?.change { $0.bytes += Int64(data.count) }
            reportData(data.count, dataTask, of: session)
        } catch {
            note { outcome in
                if error is OutputClosed {
                    outcome.isOutputClosed = true
                } else {
                    outcome.hasWriteFailure = true
                }
            }
            // The session delivers it again to the next client.
            session.detachRefusingEvent()
        }
    }

    private static func data(_ count: Int, _ task: URLSessionTask) -> SessionEvent {
        SessionEvent(
            .didReceiveData,
            task,
            ["bytesReceived": .amount(Int64(count))],
            method: "urlSession(_:dataTask:didReceive:)"
        )
    }

    /// Reports a piece of a body; with the last piece, the event that delivered it.
    private func reportData(_ count: Int, _ task: URLSessionDataTask, of session: URLSession) {
        let event = responses.withLock { responses in
            let number = task.taskIdentifier
            responses[number, default: Response()].bytes += Int64(count)
            let isLast = responses[number]?.bytes == task.countOfBytesReceived
            return isLast ? responses[number]?.event.take() : nil
        }
        let piece = Self.data(count, task)
        if let event { report(piece, of: session, as: event) } else { printer.event(piece) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        authenticator.ended(task)
        // If the session is lost, its tasks end in this program only. The next transfer process continues
        // them, and reports their ends.
        guard session.backgroundEvent != nil else { return }
        reportResponse(task)
        let response = responses.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // A body that could not be read was not reported.
        if let event = response?.event, let task = task as? URLSessionDataTask {
            report(Self.data(0, task), of: session, as: event)
        }
        let arguments: KeyValuePairs = ["error": EventValue.error(error ?? refusal(task))]
        report(SessionEvent(.didCompleteWithError, task, arguments), of: session)
        // The next client reports what is delivered again.
        guard !outcome.hasWriteFailure else { return }
        let end = conclude(task, error as? URLError)
        runs.withLock { $0[task.taskIdentifier] = nil }
        let bytes = task.countOfBytesReceived
        note { outcome in
            outcome.worst = ExitStatus.moreSevere(outcome.worst, end.exitStatus)
            outcome.count.all += 1
            outcome.count.bytes = outcome.count.bytes.adding(clamping: bytes)
            if end.exitStatus != .success { outcome.count.failed += 1 }
            if end.isUnchanged { outcome.count.unchanged += 1 }
        }
    }
}

// The end of a task, as in the foreground.
extension AttachDelegate {
    func conclude(_ task: URLSessionTask, _ error: URLError?) -> TaskOutcome {
        let end = end(of: task, error)
        guard let run = run(task) else { return end }
        if end == .success {
            printer.ended(run, task.countOfBytesReceived)
        } else {
            printer.conclude(run, end, kept: error.flatMap { kept($0, run) })
        }
        return end
    }

    private func end(of task: URLSessionTask, _ error: URLError?) -> TaskOutcome {
        if let error { return error.isWholeTimeout ? .timeLimit(nil) : .error(error) }
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        guard status < 400 else { return .status(status) }
        // A download without a file found one, or the server's has not changed.
        guard task is URLSessionDownloadTask, let path = task.backgroundDestination,
            run(task)?.get(\.naming.saved) == nil
        else { return .success }
        if task.response == nil { return .kept(path: path, .found) }
        if status == 204 { return .success }
        let isKept = status != 304 && task.keepsBackgroundDestination
        return isKept ? .kept(path: path, .createdMeanwhile) : .notModified
    }

    /// The error for a response that the command line refuses, as in the foreground.
    func refusal(_ task: URLSessionTask) -> URLError? {
        guard let response = task.response as? HTTPURLResponse, response.statusCode >= 400 else {
            return nil
        }
        return URLError(.cancelled, failingURL: response.url)
    }

    /// The part of a failed download, beside its file, or beside the file's name with a number.
    private func kept(_ error: URLError, _ run: TaskRun) -> ResumeData? {
        guard let kept = error.kept, case .partFile(let part) = kept.file else { return nil }
        let planned = run.plan.kind.possibleFile?.path
        if planned.map({ !PartFile.path(of: $0).hasBytes(of: part) }) ?? true {
            let path = Substring(part.utf8.dropLast(".part".utf8.count))
            run.change { $0.naming.chosen = String(path) }
        }
        return kept
    }
}
