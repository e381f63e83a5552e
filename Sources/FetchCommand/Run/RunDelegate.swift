import FoundationEssentials
import Synchronization
import URLLoading

/// The session's delegate: puts bodies where they belong, prints what happens, and rings when a
/// task is over.
final class RunDelegate: URLSessionDataDelegate, TaskTeller {
    let printer: Printer
    /// What no download may touch.
    let streams: StreamFiles
    private let messages: MessagePlan
    let session: SessionPlan
    let answers: AnswerPlan
    let reports: Reports
    let bodies: NonReplayableBodies
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
        bodies = NonReplayableBodies(limit: plan.session.spoolLimit)
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
        if let run = run(task) {
            printer.fromCache(run, response)
            keepHead(of: response, run)
        }
        showHead(response)
        let crossing = RedirectCrossing(task.currentRequest, to: request)
        printer.event(.willPerformHTTPRedirection(task, response, request, crossing.dropped))
        if let run = run(task) { authenticator.judged(response.statusCode, of: task, run) }
        if let target = request.url, let scheme = target.scheme?.lowercased(),
            let run = run(task), let words = self.session.refusal(of: scheme, isRedirect: true)
        {
            stop(task, run, .policy("\(words), and \(Printer.shown(target)) is where this leads"))
            return completionHandler(nil)
        }
        switch self.session.redirects {
        case .follow:
            printer.proxy(of: session, for: request.url)
            // With a pinned key the session refuses it, and says so.
            if crossing.isDowngrade, self.session.transport.trust.pinnedPublicKey == nil,
                let run = run(task), let target = request.url, !session.reachesOverTLS(target)
            {
                printer.downgrade(run, to: Printer.shown(target))
            }
            completionHandler(
                self.session.trustsRedirects
                    ? crossing.restoring(request, task.currentRequest) : request
            )
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
        if error == nil, let run { handOver(run) }
        remove(task)
        run?.end(error.map { $0 as? URLError ?? URLError(.unknown, detail: "\($0)") })
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        printer.event(.didBecomeInvalid(error))
        isInvalid.store(true, ordering: .releasing)
        waiter.ring()
    }
}
