package import Dispatch

/// A serial dispatch queue that runs actors.
///
/// Several actors may share one: none of them is then entered while another runs, and they call
/// each other without waiting (`assumeIsolated`). Dispatch sources and timers have the same queue,
/// so what they call runs on the actor. Linux has no `DispatchSerialQueue`, which would do as well.
package final class SerialQueue: SerialExecutor {
    /// For dispatch sources; everything else is given to the actors.
    package let dispatch: DispatchQueue

    /// - Parameters:
    ///   - label: its name in debuggers.
    ///   - target: the queue that it runs on; `nil`: the system's threads.
    package init(_ label: String, target: DispatchQueue? = nil) {
        dispatch = DispatchQueue(label: label, target: target)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        dispatch.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Ends the program where this is not the queue that runs: `assumeIsolated` asks.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(dispatch))
    }

    /// Runs a block later, after those before it.
    func async(_ work: @escaping @Sendable () -> Void) {
        dispatch.async(execute: work)
    }

    /// Runs a block, and waits for that: never on a thread that the queue's own work waits for.
    func sync<Value>(_ work: () throws -> Value) rethrows -> Value {
        TaskLockCounter.expectNone("a wait for a queue")
        return try dispatch.sync(execute: work)
    }
}

/// An actor that runs on a serial queue.
///
/// Each declares `nonisolated var unownedExecutor: UnownedSerialExecutor` as its queue's, since the
/// compiler takes that from no extension.
protocol QueueActor: Actor {
    nonisolated var queue: SerialQueue { get }
}

extension QueueActor {
    /// Has something done on the queue, after what was posted before; returns at once.
    ///
    /// Posting keeps the order of the posts, which a `Task` for each would not.
    nonisolated func post(_ work: @escaping @Sendable (isolated Self) -> Void) {
        queue.async { self.assumeIsolated(work) }
    }

    /// The same after so long, unless the actor is gone by then.
    nonisolated func post(
        after seconds: Double,
        _ work: @escaping @Sendable (isolated Self) -> Void
    ) {
        queue.dispatch.asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.assumeIsolated(work)
        }
    }

    /// Runs a closure on the queue, and waits for its result.
    nonisolated func look<Value: Sendable>(_ work: (isolated Self) -> Value) -> Value {
        queue.sync { assumeIsolated(work) }
    }
}
