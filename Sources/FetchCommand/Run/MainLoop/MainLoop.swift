import CLinux
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// Where a run is carried out: the thread that has called `run`, one piece of code at a time.
@globalActor
actor MainLoop {
    static let shared = MainLoop()

    nonisolated let executor = PollingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs an operation on the calling thread until it is over.
    ///
    /// - Parameters:
    ///   - signals: what interrupts every wait.
    ///   - printer: what moves while it waits.
    ///   - operation: what is to be done.
    /// - Returns: what the operation does.
    /// - Throws: `resourceUnavailable` where the process has no descriptor left.
    nonisolated static func run<Result: Sendable>(
        _ signals: Signals,
        _ printer: Printer,
        _ operation: @escaping @MainLoop @Sendable () async -> Result
    ) throws(URLError) -> Result {
        let executor = shared.executor
        guard executor.bell != nil else {
            throw URLError(.resourceUnavailable, detail: "no file descriptors are left")
        }
        let outcome = Outcome<Result>()
        Task(executorPreference: executor) {
            let value = await operation()
            outcome.value.withLock { $0 = value }
        }
        while true {
            executor.drain()
            if let value = outcome.value.withLock({ $0 }) { return value }
            executor.sleep(signals, printer)
        }
    }

    /// Interrupts every wait.
    static func interrupt(_ interruption: Interruption) {
        shared.executor.interrupt(interruption)
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}

/// Runs asynchronous code on the thread that calls it, which sleeps in poll(2) in between.
///
/// Tasks that prefer it are woken on that thread, too, and not on another one that would then have to
/// wake it.
final class PollingExecutor: SerialExecutor, TaskExecutor {
    /// A task's wait, and what ends it besides the task itself.
    struct Sleeper {
        let waiter: Waiter
        let moment: ContinuousClock.Instant?
        /// A descriptor of which there may be something to read; below 0 is none.
        let readable: CInt
    }

    private struct State {
        var jobs: [UnownedJob] = []
        /// Whether the thread looks at the jobs again before it sleeps.
        var isAwake = false
        var sleepers: [ObjectIdentifier: Sleeper] = [:]
        /// How often everybody was interrupted, and why the last time.
        var interruptions = 0
        var interruption: Interruption?
    }

    private let state = Mutex(State())
    /// `nil` where the process had no descriptor left.
    let bell = try? Doorbell()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustRing = state.withLock { state in
            state.jobs.append(job)
            return !state.isAwake
        }
        if mustRing { bell?.ring() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Runs what there is to run, and what comes of that.
    func drain() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                state.isAwake = !state.jobs.isEmpty
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs {
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(),
                    taskExecutor: asUnownedTaskExecutor()
                )
            }
        }
    }

    /// Sleeps until there is something to run.
    ///
    /// - Parameters:
    ///   - signals: what interrupts every wait.
    ///   - printer: has something to do now and then, while bars are shown.
    func sleep(_ signals: Signals, _ printer: Printer) {
        guard let bell else { return }
        let sleepers = state.withLock { $0.sleepers }
        var asked = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var readers: [Waiter] = []
        var next = printer.nextTick
        for sleeper in sleepers.values {
            if let moment = sleeper.moment { next = min(next ?? moment, moment) }
            guard sleeper.readable >= 0 else { continue }
            asked.append(pollfd(fd: sleeper.readable, events: Int16(POLLIN), revents: 0))
            readers.append(sleeper.waiter)
        }
        let left = next.map { ($0 - .now) / .milliseconds(1) }
        let limit = left.map { CInt(clamping: Int(max(0, $0) + 1)) } ?? -1
        _ = poll(&asked, nfds_t(asked.count), limit)
        if asked[0].revents != 0 { bell.answer() }
        if let number = signals.next() { interrupt(.signal(number)) }
        for (reader, entry) in zip(readers, asked.dropFirst(2)) where entry.revents != 0 {
            reader.end(.bell)
        }
        if next != nil {
            let now = ContinuousClock.now
            for sleeper in sleepers.values {
                if let moment = sleeper.moment, moment <= now { sleeper.waiter.end(.late) }
            }
        }
        printer.tick()
    }

    /// Ends every wait, and the next of whoever does not wait just now.
    func interrupt(_ interruption: Interruption) {
        let (waiters, count) = state.withLock { state in
            state.interruptions += 1
            state.interruption = interruption
            return (state.sleepers.values.map(\.waiter), state.interruptions)
        }
        for waiter in waiters { waiter.interrupt(interruption, count: count) }
    }

    /// The interruption that somebody has not seen who has seen so many.
    func interruption(after seen: inout Int) -> Interruption? {
        let (count, interruption) = state.withLock { ($0.interruptions, $0.interruption) }
        defer { seen = count }
        return count > seen ? interruption : nil
    }

    /// How many interruptions there have been.
    var interruptions: Int { state.withLock { $0.interruptions } }

    func add(_ sleeper: Sleeper) {
        state.withLock { $0.sleepers[ObjectIdentifier(sleeper.waiter)] = sleeper }
    }

    func remove(_ waiter: Waiter) {
        state.withLock { _ = $0.sleepers.removeValue(forKey: ObjectIdentifier(waiter)) }
    }
}

/// Tells the main thread, which sleeps in poll(2), that something is done.
final class Doorbell: Sendable {
    let descriptor: CInt

    /// Throws `resourceUnavailable` where the process has no descriptor left.
    init() throws(URLError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw URLError(.resourceUnavailable, detail: "no descriptor: \(Errno(rawValue: errno))")
        }
    }

    deinit {
        close(descriptor)
    }

    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func answer() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
