import CLinux
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// The global actor of a run, whose code runs on the thread that called `run`.
///
/// The run's session is hosted here: the same thread performs its transfers and calls its delegate.
@globalActor
actor MainLoop {
    static let shared = MainLoop()

    nonisolated let executor = PollingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs an operation on this thread, with signals and bars; throws `resourceUnavailable`.
    nonisolated static func run<Result: Sendable>(
        _ signals: Signals,
        _ printer: Printer,
        _ operation: @escaping @MainLoop @Sendable () async -> Result
    ) throws(URLError) -> Result {
        let executor = shared.executor
        guard let host = executor.host else {
            throw URLError(.resourceUnavailable, detail: "no file descriptors are left")
        }
        let result = AsyncResult<Result>()
        Task(executorPreference: executor) { result.set(await operation()) }
        while true {
            repeat { executor.drain() } while host.lane.drain()
            if result.value == nil { host.iterate() }
            executor.resumeYielded()
            if let value = result.value { return value }
            executor.sleep(host, signals, printer)
        }
    }

    /// Lets all other jobs run first, and begin their transfers.
    @MainLoop
    static func yieldToTransfers() async {
        await withUnsafeContinuation { shared.executor.resumeLater($0) }
    }
}

/// The result of an operation on another thread, or in another task.
final class AsyncResult<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    /// The result; `nil` until the operation has ended.
    var value: Value? { state.withLock { $0 } }

    func set(_ value: Value) { state.withLock { $0 = value } }
}

/// Runs asynchronous code on the calling thread, which sleeps in a single poll(2) between jobs.
///
/// Tasks that prefer this executor resume on the same thread, so that no other thread has to wake
/// it.
final class PollingExecutor: SerialExecutor, TaskExecutor {
    /// A task's wait, and the events that end it, besides its waiter's signal.
    struct Sleeper {
        let waiter: Waiter
        let moment: MonotonicInstant?
        /// A descriptor to be polled for reading; negative: none.
        let readable: CInt
    }

    private struct State {
        var jobs: [UnownedJob] = []
        /// An empty array with capacity, reused for the next jobs.
        var spare: [UnownedJob] = []
        /// Tasks that wait only for their waiter's signal or an interruption.
        var sleepers: [Sleeper] = []
        /// Tasks that also wait for a time or a descriptor.
        var timed: [Sleeper] = []
        /// Tasks that have yielded to the transfers.
        var yielded: [UnsafeContinuation<Void, Never>] = []
        /// Callbacks for descriptors that become writable.
        var writers: [CInt: [@Sendable () -> Void]] = [:]
        /// The number of interruptions so far, and the last one.
        var interruptions = 0
        var interruption: Interruption?
    }

    private let state = Mutex(State())
    /// Hosts the session; `nil` if the process had no file descriptor left.
    let host = try? SessionHost()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        host?.ring()
    }

    /// Runs all jobs, and the jobs that they enqueue.
    func drain() {
        while true {
            var jobs = state.withLock { state in
                guard !state.jobs.isEmpty else { return [UnownedJob]() }
                let jobs = state.jobs
                state.jobs = state.spare
                state.spare = []
                return jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs {
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(),
                    taskExecutor: asUnownedTaskExecutor()
                )
            }
            jobs.removeAll(keepingCapacity: true)
            state.withLock { $0.spare = jobs }
        }
    }

    /// Resumes a task after the transfers' next turn.
    fileprivate func resumeLater(_ continuation: UnsafeContinuation<Void, Never>) {
        state.withLock { $0.yielded.append(continuation) }
    }

    /// Runs the tasks that have yielded to the transfers.
    func resumeYielded() {
        let yielded = state.withLock { state in
            let yielded = state.yielded
            state.yielded = []
            return yielded
        }
        guard !yielded.isEmpty else { return }
        for continuation in yielded { continuation.resume() }
        drain()
    }

    /// Sleeps until a job is enqueued; meanwhile the host performs transfers, and bars are redrawn.
    func sleep(_ host: SessionHost, _ signals: Signals, _ printer: Printer) {
        let (sleepers, written) = state.withLock { state in
            (state.timed, state.writers.isEmpty ? [] : Array(state.writers.keys))
        }
        var next = printer.progress.board?.nextTick
        var readable: [CInt] = []
        for sleeper in sleepers {
            if let moment = sleeper.moment { next = min(next ?? moment, moment) }
            if sleeper.readable >= 0 { readable.append(sleeper.readable) }
        }
        let ready = host.sleep(
            until: next,
            lasting: [signals.descriptor],
            readable: readable,
            writable: written,
            unless: { state.withLock { !$0.jobs.isEmpty || !$0.yielded.isEmpty } }
        )
        for descriptor in ready {
            if descriptor == signals.descriptor, let number = signals.next() {
                interrupt(.signal(number))
            }
            for sleeper in sleepers where sleeper.readable == descriptor {
                sleeper.waiter.end(.bell)
            }
            guard written.contains(descriptor) else { continue }
            for write in state.withLock({ $0.writers.removeValue(forKey: descriptor) }) ?? [] {
                write()
            }
        }
        guard next != nil else { return }
        let now = MonotonicInstant.now
        for sleeper in sleepers {
            if let moment = sleeper.moment, moment <= now { sleeper.waiter.end(.late) }
        }
        printer.progress.board?.tick()
    }

    /// Calls back once when a descriptor is writable, or its reader has closed it.
    func whenWritable(_ descriptor: CInt, _ write: @escaping @Sendable () -> Void) {
        state.withLock { $0.writers[descriptor, default: []].append(write) }
        host?.ring()
    }

    /// Interrupts every wait; a task that is not waiting is interrupted at its next wait.
    func interrupt(_ interruption: Interruption) {
        let (waiters, count) = state.withLock { state in
            state.interruptions += 1
            state.interruption = interruption
            return ((state.sleepers + state.timed).map(\.waiter), state.interruptions)
        }
        for waiter in waiters { waiter.interrupt(interruption, count: count) }
    }

    /// The last interruption, if it is newer than the first `seen` ones; updates `seen`.
    func interruption(after seen: inout Int) -> Interruption? {
        let (count, interruption) = state.withLock { ($0.interruptions, $0.interruption) }
        defer { seen = count }
        return count > seen ? interruption : nil
    }

    var interruptions: Int { state.withLock { $0.interruptions } }

    func add(_ sleeper: Sleeper) {
        let isTimed = sleeper.moment != nil || sleeper.readable >= 0
        state.withLock { state in
            if isTimed { state.timed.append(sleeper) } else { state.sleepers.append(sleeper) }
        }
    }

    func remove(_ waiter: Waiter) {
        state.withLock { state in
            if !Self.remove(waiter, from: &state.sleepers) {
                _ = Self.remove(waiter, from: &state.timed)
            }
        }
    }

    private static func remove(_ waiter: Waiter, from sleepers: inout [Sleeper]) -> Bool {
        // Most waits are short, so their sleepers are near the end.
        guard let place = sleepers.lastIndex(where: { $0.waiter === waiter }) else { return false }
        sleepers.swapAt(place, sleepers.count - 1)
        sleepers.removeLast()
        return true
    }
}

/// An eventfd that wakes a thread from poll(2).
final class Doorbell: Sendable {
    let descriptor: CInt

    /// Throws `resourceUnavailable` if the process has no file descriptor left.
    init() throws(URLError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw URLError(.resourceUnavailable, detail: "no descriptor: \(Errno(rawValue: errno))")
        }
    }

    deinit { close(descriptor) }

    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }
}
