import CLinux
import FoundationEssentials
import Glibc
import URLLoading

/// Carries a plan out: one session, its tasks one after another.
struct Runner {
    /// After a signal, how long a task may take to put its things in order, milliseconds.
    private static let patience: CInt = 2_000

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
            }
        }
        return .status(worst)
    }

    private func run(
        _ plan: TaskPlan,
        _ session: URLSession,
        _ delegate: RunDelegate,
        _ signals: borrowing Signals
    ) -> Ending {
        let task: URLSessionTask
        let run = TaskRun(plan)
        do throws(URLError) {
            if case .file(let file) = plan.kind.destination { try file.checkFolder() }
            task = try plan.makeTask(in: session, delegate.standardInput)
        } catch {
            printer.error(
                "\(plan.address.redacted): \(Printable.text(error.description))",
                hint: Hints.hint(for: error)
            )
            return .status(ExitStatus(error.code))
        }
        delegate.add(run, for: task)
        task.resume()
        if let signal = wait(signals) { return stop(task, signal, signals) }
        return conclude(run)
    }

    /// Sleeps until the task has ended.
    ///
    /// - Returns: the signal that came first, if one did.
    private func wait(_ signals: borrowing Signals, milliseconds: CInt = -1) -> Int32? {
        while true {
            var asked = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = CLinux.poll(&asked, 2, milliseconds)
            if let signal = signals.next() { return signal }
            if asked[0].revents != 0 {
                bell.answer()
                return nil
            }
            if count == 0 { return nil }
        }
    }

    /// Ends the task and then the process; a second signal does not wait for the first.
    private func stop(
        _ task: URLSessionTask,
        _ signal: Int32,
        _ signals: borrowing Signals
    ) -> Ending {
        task.cancel()
        _ = wait(signals, milliseconds: Self.patience)
        return .signal(signal)
    }

    private func conclude(_ run: TaskRun) -> Ending {
        let outcome = TaskOutcome(
            run.current,
            error: ended.take(),
            maxTime: plan.session.maxTime,
            elapsed: ContinuousClock.now - run.started
        )
        switch outcome {
        case .success: printer.success(run)
        case .outputClosed: return .signal(SIGPIPE)
        case .error, .timeLimit, .status, .policy: printer.failure(run, outcome)
        }
        return .status(outcome.exitStatus)
    }
}
