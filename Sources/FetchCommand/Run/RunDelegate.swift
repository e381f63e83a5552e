import FoundationEssentials
import Synchronization
import URLLoading

/// The session's delegate: puts bodies where they belong, prints what happens, and rings when a
/// task is over.
final class RunDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    let printer: Printer
    /// What no download may touch.
    let streams: StreamFiles
    private let messages: MessagePlan
    let session: SessionPlan
    let answers: AnswerPlan
    let reports: Reports
    let bodies: OneWayBodies
    let authenticator: Authenticator
    let names = NameBook()
    let checksums: Checksums
    private let isInvalid = Atomic(false)
    private let runs = Mutex<[Int: TaskRun]>([:])
    /// What is rung when the session is over.
    private let waiter: Waiter

    /// - Parameters:
    ///   - plan: the plan that is carried out.
    ///   - printer: what says so.
    ///   - streams: what no download may touch.
    ///   - reports: what is written of tasks.
    ///   - waiter: what is rung when the session is over.
    init(
        _ plan: Plan,
        _ printer: Printer,
        _ streams: StreamFiles,
        _ reports: Reports,
        _ waiter: Waiter
    ) {
        messages = plan.messages
        session = plan.session
        answers = plan.answers
        bodies = OneWayBodies(limit: plan.session.spoolLimit)
        authenticator = Authenticator(plan.authentication, printer)
        checksums = Checksums(plan.checksums)
        self.printer = printer
        self.streams = streams
        self.reports = reports
        self.waiter = waiter
    }

    /// Says which run a task belongs to; before the task is resumed.
    func add(_ run: TaskRun, for task: URLSessionTask) {
        runs.withLock { $0[task.taskIdentifier] = run }
    }

    /// Forgets a task.
    func remove(_ task: URLSessionTask) {
        runs.withLock { $0[task.taskIdentifier] = nil }
    }

    /// Whether the session has made its last call.
    var hasBecomeInvalid: Bool { isInvalid.load(ordering: .acquiring) }

    func run(_ task: URLSessionTask) -> TaskRun? {
        runs.withLock { $0[task.taskIdentifier] }
    }

    /// Prints an answer's head, where that is asked for.
    func showHead(_ response: HTTPURLResponse) {
        printer.head(response, isAskedFor: messages.showsResponseHeaders)
    }

    /// Ends a task for a reason of our own.
    func stop(_ task: URLSessionTask, _ run: TaskRun, _ failure: TaskRun.Failure) {
        run.note(failure)
        task.cancel()
    }
}

// Every task.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        showHead(response)
        let crossing = RedirectCrossing(task.currentRequest, to: request)
        printer.event(.willPerformHTTPRedirection(task, response, request, crossing.dropped))
        if let run = run(task) { authenticator.judged(response.statusCode, of: task, run) }
        switch self.session.redirects {
        case .follow:
            printer.proxy(of: session, for: request.url)
            if crossing.isDowngrade, let run = run(task), let target = request.url {
                printer.downgrade(run, to: Printer.shown(target))
            }
            completionHandler(request)
        case .none: completionHandler(nil)
        case .sameOrigin:
            let target = request.url
            if let from = response.url.flatMap(Origin.init), from == target.flatMap(Origin.init) {
                printer.proxy(of: session, for: request.url)
                return completionHandler(request)
            }
            let shown = target.map(Printer.shown) ?? "nowhere"
            if let run = run(task) {
                stop(task, run, .policy("--redirect same-origin forbids to go to \(shown)"))
            }
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        printer.event(.needNewBodyStream(task))
        guard let run = run(task) else { return completionHandler(nil) }
        do throws(URLError) {
            completionHandler(try run.plan.body.open(bodies))
        } catch {
            stop(task, run, .file(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        printer.event(
            .didSendBodyData(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
        )
        if let run = run(task) { printer.sent(run, totalBytesSent, of: totalBytesExpectedToSend) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL) {
        printer.event(.didUpgrade(task, url))
        if let run = run(task) { run.note(upgradedTo: url) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        authenticator.ended(task)
        let run = run(task)
        if error == nil, let run { prove(run, task) }
        printer.event(.didComplete(task, error))
        remove(task)
        run?.end(error.map { $0 as? URLError ?? URLError(.unknown, detail: "\($0)") })
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        printer.event(.didBecomeInvalid(error))
        isInvalid.store(true, ordering: .releasing)
        waiter.ring()
    }
}

// Bodies to standard output, or whatever else can be written to as it comes.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        printer.event(.didReceiveResponse(dataTask, response))
        guard let run = run(dataTask) else { return completionHandler(.cancel) }
        if run.current.status != nil {
            // One more part of a body of which the whole has been decided about.
            if let part = response as? HTTPURLResponse { showHead(part) }
            return completionHandler(.allow)
        }
        if let delivered = run.deliveredPart,
            let disposition = takeRest(of: delivered, response, dataTask, run)
        {
            return completionHandler(disposition)
        }
        switch weigh(response, dataTask, run) {
        case .deliver where run.becomesFile(response): completionHandler(.becomeDownload)
        case .deliver: take(response, dataTask, run, completionHandler)
        case .saveAsError:
            run.note(errorBody: answers.errorBody)
            completionHandler(.becomeDownload)
        case .drop, .refuse, .fail: completionHandler(.cancel)
        }
    }

    private func take(
        _ response: URLResponse,
        _ dataTask: URLSessionDataTask,
        _ run: TaskRun,
        _ completionHandler: @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        do throws(URLError) {
            try run.openOutput(expecting: response.expectedContentLength)
            noteDelivery(of: response, dataTask, run)
            printer.receive(run, response)
            try writeHead(response, dataTask, run)
            completionHandler(.allow)
        } catch {
            run.note(.file(error))
            completionHandler(.cancel)
        }
    }

    /// With `--head` the head is the result.
    private func writeHead(
        _ response: URLResponse,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) throws(URLError) {
        guard case .head(let destination) = run.plan.kind,
            let response = response as? HTTPURLResponse
        else { return }
        let text = Data(HeadText.lines(response).utf8)
        if case .file(let file) = destination {
            note(try file.write(text, besides: streams), of: file.path, run)
            run.note(bytes: Int64(text.count))
        } else {
            write(text, task, run)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        printer.event(.didReceiveData(dataTask, data.count))
        guard let run = run(dataTask) else { return }
        guard run.current.failure == nil else { return dataTask.cancel() }
        write(data, dataTask, run)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        printer.event(.willCacheResponse(dataTask, proposedResponse.response))
        completionHandler(proposedResponse)
    }
}

// Bodies to files.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        printer.event(.didReceiveResponse(downloadTask, response))
        guard let run = run(downloadTask) else { return completionHandler(nil) }
        // What has become a download was weighed before.
        if run.current.download == nil {
            switch weigh(response, downloadTask, run) {
            case .deliver: break
            case .saveAsError: run.note(errorBody: answers.errorBody)
            case .drop, .refuse, .fail: return completionHandler(nil)
            }
        }
        if let place = run.current.errorBody {
            return completionHandler(destination(ofErrorAt: place, run))
        }
        do throws(URLError) {
            guard let (file, path) = try place(of: response, run) else {
                return completionHandler(nil)
            }
            let part = FileDestination.partPath(of: path)
            if run.current.chosenPath == nil {
                run.note(chosenPath: path)
                if !run.current.isContinuing {
                    begin(run, part, response, continues: file.continues)
                }
            }
            if !run.current.isContinuing { printer.receive(run, response) }
            expect(run, of: downloadTask)
            completionHandler(
                .partFile(
                    URL(filePath: AbsolutePath.of(part)),
                    permissions: file.ifExists == .replace && FileFacts.isFile(path)
                        ? 0o600 : 0o666,
                    keepsResumeData: true
                )
            )
        } catch {
            run.note(.file(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        printer.event(
            .didWriteData(
                downloadTask,
                bytesWritten,
                totalBytesWritten,
                totalBytesExpectedToWrite
            )
        )
        guard let run = run(downloadTask) else { return }
        // Now it is certain that the part was ours to begin again.
        if let note = run.takePendingNote() { printer.note(note) }
        run.note(bytes: bytesWritten)
        printer.received(run, totalBytesWritten)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        printer.event(.didFinishDownloading(downloadTask, location))
        guard let run = run(downloadTask) else { return }
        if let place = run.current.errorBody { return saveError(location, place, run) }
        guard let file = run.current.file, let path = run.current.chosenPath else { return }
        do throws(URLError) {
            let finished = FinishedDownload(
                part: location.path,
                modified: downloadTask.response?.lastModified,
                validator: run.plan.validator(
                    of: downloadTask.response as? HTTPURLResponse,
                    for: file
                )
            )
            note(try finished.move(to: path, file), of: path, run)
        } catch {
            run.note(.file(error))
        }
    }
}
