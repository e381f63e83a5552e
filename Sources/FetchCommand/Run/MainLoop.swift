import Synchronization
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
            throw URLError(.resourceUnavailable, detail: "no descriptor is left")
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
