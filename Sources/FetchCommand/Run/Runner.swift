import FoundationEssentials
import Glibc
import URLLoading

/// Carries a plan out: one session, its tasks one after another.
struct Runner {
    /// After a signal, how long a task may take to put its things in order.
    private static let patience: Duration = .seconds(2)
    /// After `--max-time`, how long the session may take to end the task itself.
    private static let grace: Duration = .seconds(1)

    private let plan: Plan
    private let printer: Printer
    private let bell: Doorbell
    private let ended = EndedTask()

    /// Throws `resourceUnavailable` where the process has no descriptor left.
    init(_ plan: Plan, _ printer: Printer) throws(URLError) {
        bell = try Doorbell()
        self.plan = plan
        self.printer = printer
    }

    /// Runs every task, and says how the process shall end.
    func run(_ signals: borrowing Signals) -> Ending {
        if !plan.session.tls.verifiesServer {
            printer.warning("--no-check-certificate: servers need not prove who they are")
        }
        let delegate = RunDelegate(plan, printer) { [bell, ended] error in
            ended.set(error)
            bell.ring()
        }
        let session = URLSession(
            configuration: .make(plan.session),
            delegate: delegate,
            delegateQueue: nil
        )
        var worst = ExitStatus.success
        for task in plan.tasks {
            switch run(task, session, delegate, signals) {
            case .status(let status): worst = ExitStatus.graver(worst, status)
            case .signal(let number): return .signal(number)
            // What blocks the delegate queue blocks it for the tasks that follow, too.
            case .stuck: return .status(ExitStatus.graver(worst, .timeLimit))
            }
        }
        return .status(worst)
    }

    private func run(
        _ plan: TaskPlan,
        _ session: URLSession,
        _ delegate: RunDelegate,
        _ signals: borrowing Signals
    ) -> TaskEnd {
        let task: URLSessionTask
        let run = TaskRun(plan)
        do throws(URLError) {
            if case .file(let file) = plan.kind.destination { try file.checkFolder() }
            task = try plan.makeTask(in: session, delegate.standardInput)
        } catch {
            printer.error(
                "\(plan.address.redacted): \(Printable.text(UserInfo.redacted(in: error.description)))",
                hint: Hints.hint(for: error)
            )
            return .status(ExitStatus(error.code))
        }
        delegate.add(run, for: task)
        task.resume()
        switch wait(signals, until: self.plan.session.maxTime.map { run.started + $0 + Self.grace })
        {
        case .ended: return conclude(run, signals)
        case .signal(let signal): return stop(task, run, signal, signals)
        case .late:
            // Something that the session does not see holds the task up: an output that blocks.
            signals.allowed {
                printer.failure(run, .timeLimit(self.plan.session.maxTime ?? .zero))
            }
            return .stuck
        }
    }

    /// What a task comes to for the run.
    private enum TaskEnd {
        case status(ExitStatus)
        case signal(Int32)
        /// It did not end when its time was over.
        case stuck
    }

    /// What ended a wait.
    private enum Wake {
        case ended
        case signal(Int32)
        /// The moment that was named has come.
        case late
    }

    /// Sleeps until the task has ended, a signal has come, or it is late.
    private func wait(
        _ signals: borrowing Signals,
        until moment: ContinuousClock.Instant?
    ) -> Wake {
        while true {
            var asked = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let left = moment.map { ($0 - .now) / .milliseconds(1) }
            _ = Glibc.poll(&asked, 2, left.map { CInt(clamping: Int(max(0, $0) + 1)) } ?? -1)
            if let signal = signals.next() { return .signal(signal) }
            if asked[0].revents != 0 {
                bell.answer()
                return .ended
            }
            if let moment, moment <= .now { return .late }
        }
    }

    /// Ends the task and then the process; a second signal does not wait for the first.
    ///
    /// There is something to wait for only where a part file has to go.
    private func stop(
        _ task: URLSessionTask,
        _ run: TaskRun,
        _ signal: Int32,
        _ signals: borrowing Signals
    ) -> TaskEnd {
        task.cancel()
        if run.plan.kind.file != nil { _ = wait(signals, until: .now + Self.patience) }
        return .signal(signal)
    }

    private func conclude(_ run: TaskRun, _ signals: borrowing Signals) -> TaskEnd {
        let outcome = TaskOutcome(
            run.current,
            error: ended.take(),
            maxTime: plan.session.maxTime,
            elapsed: ContinuousClock.now - run.started
        )
        if case .outputClosed = outcome { return .signal(SIGPIPE) }
        signals.allowed {
            switch outcome {
            case .success: printer.success(run)
            case .notModified: printer.notModified(run)
            case .outputClosed: break
            case .error, .timeLimit, .status, .policy: printer.failure(run, outcome)
            }
        }
        return .status(outcome.exitStatus)
    }
}
