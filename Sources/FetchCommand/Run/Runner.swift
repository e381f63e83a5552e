import Dispatch
import FoundationEssentials
import Glibc
import URLLoading

/// Runs a plan: creates one session, and performs its tasks.
@MainLoop
struct Runner {
    /// The maximum time for the session's end after a signal.
    private static let shortGrace: Duration = .milliseconds(500)
    /// The maximum time for the session's end after the last task.
    private static let grace: Duration = .seconds(1)

    let plan: Plan
    let printer: Printer
    let streams: StreamFiles
    let reports: Reports
    let list: URLList?
    let signals: Signals
    /// Signalled when the session has become invalid.
    private let waiter = Waiter()

    func run() async -> ProcessExit {
        printer.keepsLines()
        guard let limits = jobLimits() else { return .status(.failure) }
        if !plan.session.transport.trust.verifiesServer {
            warn("--no-check-certificate: certificates are not verified", isQuietToo: true)
        }
        if plan.session.trustsRedirects {
            let words = "credentials are sent to any host after a redirect"
            warn("--location-trusted: \(words)", isQuietToo: true)
        }
        for warning in plan.session.cookies.warnings { warn(warning) }
        if plan.tasks.contains(where: { $0.identity.source == .netrc }),
            let warning = plan.authentication.netrcWarning
        {
            warn(warning)
        }
        let delegate = RunDelegate(plan, printer, streams, reports, waiter)
        let configuration = URLSessionConfiguration.make(plan.session, jobs: plan.jobs)
        configuration.transport.collectsMetrics = plan.reports.needsMetrics || printer.reportsEvents
        configuration.transport.recordsHeads = plan.reports.needsHeads
        configuration.transport.tracesTransfers = printer.reportsTraffic
        configuration.transport.expectsChallenges = plan.expectsChallenges
        configuration.transport.maximumBodyBytes = plan.responses.maxFileSize
        configuration.keepCookies(plan.session.cookies)
        guard let host = MainLoop.shared.executor.host else { return .status(.failure) }
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            hostedBy: host,
            bodyTaker: delegate
        )
        session.note(delegate: delegate)
        let jobs = JobQueue(plan, limits, session, delegate, signals)
        // The process exits after the run, so their release would be wasted work.
        _ = (Unmanaged.passRetained(session), Unmanaged.passRetained(jobs))
        let result = await jobs.run(list)
        if case .status = result { signals.allowed { delegate.authenticator.finish() } }
        session.synchronizeFolders()
        var ended = await finish(result, session)
        configuration.httpCookieStorage?.requireFile()
        let problems = session.flushState()
        for words in problems { warn(words, isQuietToo: plan.session.namesStateFiles) }
        // A state file that the command line names could not be saved.
        if plan.session.namesStateFiles, !problems.isEmpty, case .status(let status) = ended {
            ended = .status(ExitStatus.moreSevere(status, .fileIO))
        }
        return await settle(ended, session, delegate)
    }

    private func warn(_ words: String, isQuietToo: Bool = false) {
        signals.allowed { printer.warning(Printable.text(words), isQuietToo: isQuietToo) }
    }

    /// The jobs that the limit of open file descriptors allows; `nil` if it allows none.
    private func jobLimits() -> JobLimits? {
        let limit = DescriptorLimit.raise(to: JobLimits.descriptors(for: plan.jobs))
        // Dispatch ends the process if it cannot open its own.
        guard limit >= JobLimits.fewestDescriptors else {
            let words = "a limit of \(limit) open files (ulimit -n) is too low; at least"
            signals.allowed { printer.error("\(words) \(JobLimits.fewestDescriptors) are needed") }
            return nil
        }
        let limits = JobLimits(jobs: plan.jobs, descriptors: limit)
        if limits.jobs < plan.jobs, plan.tasks.count > limits.jobs || plan.list != nil {
            let words = "the limit of \(limit) open files (ulimit -n) allows \(limits.jobs)"
            warn("--jobs \(plan.jobs): \(words)")
        }
        guard limit / 4 - 16 < plan.jobs else { return limits }
        // Dispatch opens its descriptors with its first thread, and ends the process if it cannot.
        let thread = DispatchGroup()
        DispatchQueue.global().async(group: thread) {}
        thread.wait()
        return limits
    }

    /// Completes the HAR file, even after a signal.
    private func finish(_ result: ProcessExit, _ session: URLSession) async -> ProcessExit {
        guard let har = reports.har else { return result }
        if har.isOnDevice {
            // A worker may still write the last entry; the session's next call comes behind it.
            let waiter = Waiter()
            session.queue.async { waiter.ring() }
            _ = await waiter.wait(until: nil)
        }
        let finish = { () -> URLError? in
            do throws(URLError) {
                try har.finish()
                return nil
            } catch {
                return error
            }
        }
        // The reader of a FIFO may be slow.
        let failure = har.isOnDevice ? signals.allowed(while: finish) : finish()
        guard let failure else { return result }
        signals.allowed { printer.error("--har: " + Printable.text("\(failure)")) }
        guard case .status(let status) = result else { return result }
        return .status(ExitStatus.moreSevere(status, .fileIO))
    }

    /// Invalidates the session, and waits if events have a reader; after a signal only briefly.
    private func settle(
        _ result: ProcessExit,
        _ session: URLSession,
        _ delegate: RunDelegate
    ) async -> ProcessExit {
        guard printer.reportsEvents else { return result }
        let isCutShort = if case .signal(let number) = result { number != SIGPIPE } else { false }
        session.finishTasksAndInvalidate()
        let limit = isCutShort ? Self.shortGrace : Self.grace
        // The interruption that ended the tasks is already handled; a new one is not.
        if case .signal = result { waiter.forgetInterruptions() }
        var wake: Waiter.Wake
        repeat {
            wake = await waiter.wait(until: .now + limit) { delegate.hasBecomeInvalid }
        } while wake == .interruption(.failEarly)
        if case .interruption(.signal(let number)) = wake { return .signal(number) }
        signals.allowed { printer.finishEvents(isCutShort: isCutShort) }
        return result
    }
}
