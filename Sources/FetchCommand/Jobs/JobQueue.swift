import Glibc
import Synchronization
import URLLoading

/// Runs a plan's tasks in one session, several at once.
@MainLoop
final class JobQueue {
    /// How soon a stalled reader of standard error is looked at again.
    private static let patience: Duration = .milliseconds(100)

    private let plan: Plan
    private let session: URLSession
    private let delegate: RunDelegate
    private var printer: Printer { delegate.printer }
    private let signals: Signals
    private let started = MonotonicInstant.now
    /// Signalled when a task ends.
    private let waiter = Waiter()
    /// The life cycle's rules, the same for every task.
    private let rules: FetchLifecycle.Rules
    private var order: OutputOrder
    private let load: JobLoad
    private var running = 0
    private var worst = ExitStatus.success
    private var count = JobCount()
    /// The process's exit, if the run ends before its last task.
    private var earlyExit: ProcessExit?
    private var lastBegin: MonotonicInstant?
    private var isStuck = false
    private var hasFailedEarly = false

    init(
        _ plan: Plan,
        _ limits: JobLimits,
        _ session: URLSession,
        _ delegate: RunDelegate,
        _ signals: Signals
    ) {
        self.plan = plan
        self.session = session
        self.delegate = delegate
        self.signals = signals
        rules = FetchLifecycle.Rules(
            responses: plan.responses,
            maxTime: plan.session.maxTime,
            isRaw: plan.session.transport.contentDecoding == .raw,
            reports: delegate.reports.writeOut != nil,
            isFollowed: delegate.printer.reportsEvents,
            wantsEveryEnd: delegate.reports.har != nil
        )
        load = JobLoad(limits)
        order = OutputOrder(queue: session.queue) { [delegate, session] run in
            delegate.takeTurn(run, in: session)
        }
    }

    /// Runs every task, also those of the list, and returns the process's exit.
    func run(_ list: URLList?) async -> ProcessExit {
        var source = TaskSource(plan, list)
        feeding: while isOpen {
            let next: TaskSource.Next =
                if let next = source.nextAtOnce() { next } else { await source.next(waiter) }
            switch next {
            case .task(let task):
                if !hasRoomNow(for: task) {
                    guard await wait(while: !hasRoomNow(for: task)) else { break feeding }
                }
                if printer.isFarBehind {
                    let isOpen = await wait(until: .now + Self.patience, while: printer.isFarBehind)
                    guard isOpen else { break feeding }
                }
                if !plan.pause.isNone {
                    guard await hasPaused() else { break feeding }
                }
                let isFull = begin(task)
                // The server works while the next task is planned.
                if isFull, running == 1 { await MainLoop.yieldToTransfers() }
            case .invalid(let status, let words, let hint):
                count.all += 1
                count.failed += 1
                signals.allowed { printer.error(words, hint: hint) }
                note(status)
            case .interrupted(.signal(let number)):
                earlyExit = .signal(number)
                break feeding
            case .end, .interrupted(.failEarly): break feeding
            }
        }
        while running > 0, !isStuck { _ = await waiter.wait(until: nil) }
        if case .signal? = earlyExit { return earlyExit ?? .status(worst) }
        if plan.hasMany { signals.allowed { printer.summary(count, since: started) } }
        return earlyExit ?? .status(worst)
    }

    private var isOpen: Bool { earlyExit == nil && !hasFailedEarly }

    private func hasRoomNow(for task: TaskPlan) -> Bool {
        // A local file that is read may be one that an earlier task is fetching.
        let isLast = task.body.isSent || task.address.filePath != nil
        return load.hasRoom(for: share(of: task), behindAll: isLast) && leavesConnection(task)
    }

    /// Waits while a condition holds, or until a moment; `false` if no further task may start.
    private func wait(
        until moment: @autoclosure () -> MonotonicInstant? = nil,
        while condition: @autoclosure () -> Bool
    ) async -> Bool {
        while isOpen, condition() {
            guard case .interruption(let why) = await waiter.wait(until: moment()) else { continue }
            // The signal may have arrived while no task was running.
            if case .signal(let number) = why { earlyExit = earlyExit ?? .signal(number) }
            return false
        }
        return isOpen
    }

    /// Waits for the pause between two tasks; `false` if no further task may start.
    private func hasPaused() async -> Bool {
        defer { lastBegin = .now }
        guard let lastBegin else { return true }
        let now = MonotonicInstant.now
        let end = now + plan.pause.wait(sinceBegin: now - lastBegin)
        return await wait(until: end, while: .now < end)
    }

    /// A task's share of `--jobs`; one without a file may wait for the output, so it counts whole.
    private func share(of task: TaskPlan) -> Int {
        load.share(of: task.kind.isFile ? task.address.origin : nil)
    }

    /// Whether a connection remains for the first task of the output order if this task takes one.
    private func leavesConnection(_ task: TaskPlan) -> Bool {
        task.kind.isFile || order.count < plan.session.maximumConnectionsPerHost ?? .max
    }

    /// Starts a task; returns whether a further task for the same server must wait.
    private func begin(_ task: TaskPlan) -> Bool {
        let share = share(of: task)
        let retries = plan.session.retries(of: task)
        let slot = JobSlot(of: load, share, waiter)
        let run = TaskRun(task, rules, retries: retries, isAmongMany: plan.hasMany, slot: slot)
        let runner = TaskRunner(
            run: run,
            number: count.all,
            session: session,
            delegate: delegate,
            signals: signals
        )
        count.all += 1
        running += 1
        delegate.names.reserve(run, besides: delegate.streams)
        signals.tasks.store(running, ordering: .relaxed)
        order.add(run)
        // Without the preference, a resumed continuation first goes to a thread of the global executor,
        // which then wakes this thread.
        Task(executorPreference: MainLoop.shared.executor) { await self.finish(runner, slot) }
        return !load.hasRoom(for: share)
    }

    /// Runs a task to its end, and counts it.
    private func finish(_ runner: TaskRunner, _ slot: JobSlot) async {
        let outcome = await runner.run()
        let run = runner.run
        running -= 1
        slot.end()
        if run.get(\.isMultiplexed) { load.note(shared: run.plan.address.origin) }
        signals.tasks.store(running, ordering: .relaxed)
        if case .interrupted = outcome { order.end() } else { count.bytes += run.get(\.bytes) }
        switch outcome {
        case .interrupted(.signal(let number)):
            count.abandoned += 1
            if earlyExit == nil {
                earlyExit = .signal(number)
                // The other tasks have not yet noticed that the reader closed the pipe.
                if number == SIGPIPE { MainLoop.shared.executor.interrupt(.signal(number)) }
            }
        case .interrupted(.failEarly): count.abandoned += 1
        // A blocked delegate queue blocks all tasks.
        case .stuck:
            isStuck = true
            count.failed += 1
            earlyExit = .status(ExitStatus.moreSevere(worst, outcome.exitStatus))
        default:
            let status = outcome.exitStatus
            if status != .success { count.failed += 1 }
            if outcome.isUnchanged { count.unchanged += 1 }
            note(status)
        }
        order.remove(run)
        waiter.ring()
        // The next task's request is sent before this task's memory is released.
        if running == 0 { await MainLoop.yieldToTransfers() }
    }

    private func note(_ status: ExitStatus) {
        worst = ExitStatus.moreSevere(worst, status)
        guard plan.failsEarly, status != .success, !hasFailedEarly else { return }
        hasFailedEarly = true
        order.end()
        if running > 0 { MainLoop.shared.executor.interrupt(.failEarly) }
    }
}

/// Counters of a run's ended tasks.
struct JobCount: Equatable {
    /// Tasks that were started, and lines for which none could be.
    var all = 0
    var failed = 0
    var abandoned = 0
    /// Tasks that kept an existing file, or whose server had no newer body.
    var unchanged = 0
    /// Bytes of all bodies.
    var bytes: Int64 = 0

    var succeeded: Int { all - failed - abandoned - unchanged }

    /// The summary line; without a rate if the run's duration is unknown.
    func summary(_ elapsed: Duration?) -> String {
        var parts = ["\(succeeded) of \(ByteText.count(all, "URL")) fetched"]
        if unchanged > 0 { parts.append("\(unchanged) unchanged") }
        if failed > 0 { parts.append("\(failed) failed") }
        if abandoned > 0 { parts.append("\(abandoned) cancelled") }
        let words = parts.joined(separator: ", ") + "; \(ByteText.size(bytes))"
        guard let elapsed else { return words }
        return words + " in \(ByteText.time(elapsed)), " + ByteText.rate(bytes, elapsed)
    }
}
