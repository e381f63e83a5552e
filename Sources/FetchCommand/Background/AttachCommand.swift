import Glibc
import URLLoading

/// Follows a background session to its end, or until a signal or a closed output.
@MainLoop
struct AttachCommand {
    /// How long the session may take to detach after a signal.
    private static let grace: Duration = .milliseconds(500)

    /// How often the session is checked for running tasks.
    private static let interval: Duration = .seconds(1)
    private static let minimumInterval: Duration = .milliseconds(100)

    let plan: AttachPlan
    let printer: Printer
    let signals: Signals
    /// Rung when the session is over.
    private let waiter = Waiter()

    /// Follows the session; returns the gravest status of the delivered results.
    func run(from cursor: BackgroundCursor?) async -> ProcessExit {
        let delegate = AttachDelegate(plan, printer, waiter)
        let configuration = URLSessionConfiguration.background(withIdentifier: plan.identifier.text)
        configuration.background.watches = true
        configuration.background.seen = cursor
        // The command's own search asks the key store, after other sources.
        configuration.urlCredentialStorage = nil
        // Connecting may wait, and there is nothing to clean up.
        let session = signals.allowed {
            URLSession(configuration: configuration, delegate: delegate)
        }
        if let (status, isEmpty) = session.backgroundStatus { announce(status, isEmpty) }
        session.finishTasksAndInvalidate()
        return await follow(session, delegate)
    }

    private func follow(_ session: URLSession, _ delegate: AttachDelegate) async -> ProcessExit {
        var hasHeld = false
        var lastCheck: MonotonicInstant?
        while !delegate.outcome.isInvalid {
            // Each delegate call ends the wait, and there may be thousands of tasks.
            let now = MonotonicInstant.now
            var until = lastCheck.map { $0 + Self.minimumInterval } ?? now
            if until <= now {
                lastCheck = now
                // The delegate is not called when the transfer process holds a task.
                until = now + Self.interval
                // A task that is held, or waits for a password, may never end by itself.
                let openChallenges = delegate.outcome.openChallenges
                let isActive = session.hasTask {
                    $0.state != .suspended && openChallenges[$0.taskIdentifier] == nil
                }
                if !isActive, session.hasTask({ _ in true }) {
                    hasHeld =
                        hasHeld || session.hasTask { openChallenges[$0.taskIdentifier] == nil }
                    session.detach()
                }
            }
            guard case .interruption(let why) = await waiter.wait(until: until),
                case .signal(let number) = why
            else { continue }
            return await leave(session, delegate, number)
        }
        signals.allowed { delegate.authenticator.finish() }
        let outcome = delegate.outcome
        if let failure = outcome.failure {
            printer.finishEvents(isCutShort: false)
            return BackgroundActions.fail(failure, "--attach", printer)
        }
        if outcome.count.all > 1 {
            signals.allowed { printer.summary(outcome.count) }
        }
        signals.allowed { printer.finishEvents(isCutShort: false) }
        if outcome.isOutputClosed { return .signal(SIGPIPE) }
        guard outcome.hasWriteFailure else {
            return exit(after: outcome, hasHeld ? reportHeld() : .success)
        }
        printer.error(
            "--attach: the events could not be written",
            hint: "the next --attach reports them"
        )
        return .status(ExitStatus.moreSevere(outcome.worst, .fileIO))
    }

    private func exit(after outcome: AttachDelegate.Outcome, _ held: ExitStatus) -> ProcessExit {
        let worst = ExitStatus.moreSevere(outcome.worst, held)
        guard !outcome.openChallenges.isEmpty else { return .status(worst) }
        for (_, challenge) in outcome.openChallenges.sorted(by: { $0.key < $1.key }) {
            let run = challenge.run
            let status = run.get(\.attempt.authentication).hint(401, offersBearer: false)
            printer.error("\(run.plan.address.redacted): waits for a password", hint: status)
        }
        return .status(ExitStatus.moreSevere(worst, .authentication))
    }

    /// Reports the held tasks, whose cause only the user can remove; returns the gravest status.
    private func reportHeld() -> ExitStatus {
        let summary = signals.allowed { try? BackgroundControl().summary(of: plan.identifier) }
        var worst = ExitStatus.success
        let name = ShellWord.quoted(plan.identifier.text)
        for task in summary?.tasks ?? [] where task.phase == .held {
            guard let error = task.error else { continue }
            worst = ExitStatus.moreSevere(worst, ExitStatus(error.code))
            printer.error(
                "\(Printable.text(Redaction.url(task.url))): held: \(error.words)",
                hint: "fetch --background-resume \(name) resumes it"
            )
        }
        return worst
    }

    private func leave(
        _ session: URLSession,
        _ delegate: AttachDelegate,
        _ number: Int32
    ) async -> ProcessExit {
        session.detach()
        waiter.forgetInterruptions()
        _ = await waiter.wait(until: .now + Self.grace) { delegate.outcome.isInvalid }
        let name = ShellWord.quoted(plan.identifier.text)
        signals.allowed { printer.note("the session continues: fetch --attach \(name)") }
        printer.finishEvents(isCutShort: true)
        return .signal(number)
    }

    private func announce(_ summary: BackgroundStatus, _ isEmpty: Bool) {
        if isEmpty, summary.undelivered == 0 {
            printer.note("there is nothing to report")
        } else if summary.isPaused {
            let name = ShellWord.quoted(summary.identifier)
            printer.note("the session is paused: fetch --background-resume \(name) resumes it")
        } else if !summary.waitsFor.isEmpty {
            printer.note("the session waits for \(summary.waitsFor.joined(separator: ", "))")
        }
    }
}
