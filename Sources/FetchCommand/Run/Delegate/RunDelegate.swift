import Dispatch
import FoundationEssentials
import Synchronization
import URLLoading

/// The session's delegate: writes bodies, prints messages, and signals the end of each task.
final class RunDelegate: URLSessionDataDelegate, TaskReporter {
    let printer: Printer
    /// The files that no download may replace.
    let streams: StreamFiles
    let session: SessionPlan
    let responses: ResponsePlan
    let reports: Reports
    /// Writes bodies of errors to a device or FIFO, one after another; it may block.
    let errorBodies = DispatchQueue(label: "fetch.error-bodies")
    /// Open from the first such body on, so that a FIFO's reader gets end-of-file only once.
    let errorDevice = Mutex<OutputDescriptor?>(nil)
    let bodies: NonReplayableBodies
    let authenticator: Authenticator
    let names = FileNameAllocator()
    let checksums: Checksums
    /// Non-blocking outputs for bodies, by descriptor.
    let outputs = Mutex<[CInt: PromptOutput]>([:])
    /// The devices and FIFOs that bodies are written to, by path; each stays open for all tasks.
    let devices = Mutex<[ExactText: OutputDescriptor]>([:])
    private let isInvalid = Atomic(false)
    private let runs = Mutex<[Int: TaskRun]>([:])
    private let waiter: Waiter

    init(
        _ plan: Plan,
        _ printer: Printer,
        _ streams: StreamFiles,
        _ reports: Reports,
        _ waiter: Waiter
    ) {
        session = plan.session
        responses = plan.responses
        bodies = NonReplayableBodies(limit: plan.session.spoolLimit)
        authenticator = Authenticator(plan.authentication, printer)
        checksums = Checksums(plan.checksums)
        self.printer = printer
        self.streams = streams
        self.reports = reports
        self.waiter = waiter
    }

    /// Registers the command's task for a session's task, before the latter is resumed.
    func add(_ run: TaskRun, for task: URLSessionTask) {
        runs.withLock { $0[task.taskIdentifier] = run }
    }

    func remove(_ task: URLSessionTask) { runs.withLock { $0[task.taskIdentifier] = nil } }

    var hasBecomeInvalid: Bool { isInvalid.load(ordering: .acquiring) }

    func run(_ task: URLSessionTask) -> TaskRun? { runs.withLock { $0[task.taskIdentifier] } }

    /// The error of a session's task, with the path of the Unix socket.
    func sessionError(_ error: (any Error)?) -> URLError? {
        error.map { $0 as? URLError ?? URLError(.unknown, detail: "\($0)") }?
            .naming(socket: session.transport.unixSocketPath)
    }

    func stop(_ task: URLSessionTask, _ run: TaskRun, _ outcome: TaskOutcome) {
        run.note(outcome)
        task.cancel()
    }

    /// Cancels a session's task because an output cannot be opened or written.
    func stop(_ task: URLSessionTask, _ run: TaskRun, _ error: any Error) {
        run.note(error)
        task.cancel()
    }
}

// Methods for all tasks.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let run = run(task)
        if let run {
            printer.fromCache(run, response)
            keepHead(of: response, run)
        }
        printer.head(response)
        let crossing = RedirectCrossing(task.currentRequest, to: request)
        printer.event(
            .willPerformHTTPRedirection,
            task,
            [
                "response": .response(response), "newRequest": .request(request),
                "dropped": .list(crossing.dropped.map(EventValue.text)),
            ]
        )
        if let run { authenticator.noteStatus(response.statusCode, of: task, run) }
        let target = request.url
        if let run, let target, let scheme = target.scheme?.lowercased(),
            let words = self.session.refusal(of: scheme, isRedirect: true)
        {
            stop(task, run, .policy("\(words), and the redirect leads to \(Printer.shown(target))"))
            return completionHandler(nil)
        }
        switch self.session.redirects {
        case .follow:
            printer.proxy(of: session, for: target)
            // With a pinned key, the session refuses the redirect with an error.
            if let run, let target, crossing.isDowngrade,
                self.session.transport.trust.pinnedPublicKey == nil,
                !session.reachesOverTLS(target)
            {
                printer.downgrade(run, to: Printer.shown(target))
            }
            completionHandler(
                self.session.trustsRedirects
                    ? crossing.restoring(request, task.currentRequest) : request
            )
        case .none: completionHandler(nil)
        case .sameOrigin:
            if let from = response.url.flatMap(Origin.init), from == target.flatMap(Origin.init) {
                printer.proxy(of: session, for: target)
                return completionHandler(request)
            }
            let words = "does not allow \(target.map(Printer.shown) ?? "nowhere")"
            if let run { stop(task, run, .policy("--redirect same-origin \(words)")) }
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        printer.event(.needNewBodyStream, task)
        guard let run = run(task) else { return completionHandler(nil) }
        do throws(URLError) {
            completionHandler(try run.plan.body.open(bodies))
        } catch {
            stop(task, run, error)
            completionHandler(nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL) {
        printer.event(.didUpgradeTo, task, ["newURL": .text(url.absoluteString)])
        if let run = run(task) { run.note(upgradedTo: url) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        authenticator.ended(task)
        let run = run(task)
        if error == nil, let run { compareDigest(run, task) }
        printer.event(.didCompleteWithError, task, ["error": .error(error)])
        if error == nil, let run, writesError(of: run, endedBy: task) { return }
        guard error == nil, let run, run.bufferedBody != nil else {
            remove(task)
            run?.end(sessionError(error))
            return
        }
        session.queue.handOff { [self] in
            handOver(run)
            remove(task)
            run.end(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = #function
        guard let run = run(task) else { return completionHandler(.performDefaultHandling, nil) }
        authenticator.handle(challenge, of: task, run) { [printer] decision in
            printer.event(.didReceiveChallenge(task, challenge, decision, method: method))
            completionHandler(decision.disposition, decision.credential)
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        printer.event(.didBecomeInvalidWithError, nil, ["error": .error(error)])
        isInvalid.store(true, ordering: .releasing)
        waiter.ring()
    }
}

// Metrics, and heads of responses.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        printer.event(.didFinishCollecting, task, EventValue.metrics(metrics))
        run(task)?.change { $0.attempt.metrics = metrics }
        guard let har = reports.har else { return }
        guard har.isOnDevice else { return har.add(metrics, of: task) }
        // Its reader may be slow.
        session.queue.handOff { har.add(metrics, of: task) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didTrace trace: URLSessionTaskTrace
    ) { printer.trace(trace) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveHeads bytes: Data) {
        guard let heads = reports.heads else { return }
        let write: @Sendable () -> Void = { [self] in
            do {
                try heads.write(bytes)
            } catch {
                if let run = run(task) { stop(task, run, error) }
            }
        }
        if heads.output.takes(bytes.count) { write() } else { session.queue.handOff(write) }
    }
}

/// The credentials that the library removes from a redirected request.
struct RedirectCrossing {
    /// Names of header fields; `userInfo` means the user and password in the URL.
    let dropped: [String]
    /// Whether the redirect leads from TLS to plain HTTP.
    let isDowngrade: Bool

    init(_ request: URLRequest?, to next: URLRequest) {
        guard let request, let from = request.url, let to = next.url else {
            dropped = []
            isDowngrade = false
            return
        }
        let crossing = OriginCrossing(from: from, to: to)
        var fields = request.headerFields
        // The names of the missing fields: the library knows which fields the user declared secret.
        let gone = crossing.strip(
            &fields,
            secretHeaders: request.headerFields.fields.map(\.name).filter {
                next.headerFields[$0] == nil && !RedirectRules.describesContent($0)
            }
        )
        dropped =
            gone.map { dropped in
                switch dropped {
                case .field(let name): name
                case .userInfo: "userInfo"
                }
            } + (!crossing.isSameOrigin && from.user() != nil ? ["userInfo"] : [])
        isDowngrade = crossing.isDowngrade
    }

    /// The next request with the removed credentials, for `--location-trusted`.
    func restoring(_ next: URLRequest, _ request: URLRequest?) -> URLRequest {
        var next = next
        for name in dropped where !HTTPHeaderFields.areSame(name, "Host") {
            guard let value = request?.value(forHTTPHeaderField: name) else { continue }
            next.setValue(value, forHTTPHeaderField: name)
        }
        return next
    }
}
