package import Dispatch

/// A serial dispatch queue that runs actors.
///
/// Several actors may share a queue: only one of them runs at a time, and they call each other without
/// waiting (`assumeIsolated`). Dispatch sources and timers may use the same queue, and then run on the
/// actor. Linux does not have `DispatchSerialQueue`, which has the same purpose.
package final class SerialQueue: SerialExecutor {
    /// For dispatch sources; all other work is posted to the actors.
    package let dispatch: DispatchQueue

    /// - Parameters:
    ///   - label: the name in debuggers.
    ///   - target: the queue to run on; `nil`: the system's threads.
    package init(_ label: String, target: DispatchQueue? = nil) {
        dispatch = DispatchQueue(label: label, target: target)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        dispatch.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Ends the program if this queue is not the current one; `assumeIsolated` calls it.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(dispatch))
    }

    /// Posts a block.
    func async(_ work: @escaping @Sendable () -> Void) {
        dispatch.async(execute: work)
    }

    /// Runs a block and waits for it; the calling thread must not be one that the queue's work waits for.
    func sync<Value>(_ work: () throws -> Value) rethrows -> Value {
        TaskLockCounter.expectNone("a wait for a queue")
        return try dispatch.sync(execute: work)
    }
}

/// An actor that runs on a serial queue.
///
/// Each actor declares `nonisolated var unownedExecutor: UnownedSerialExecutor` with its queue's
/// executor, because the compiler does not accept that from an extension.
protocol QueueActor: Actor {
    nonisolated var queue: SerialQueue { get }
}

extension QueueActor {
    /// Posts work to the actor; returns at once.
    ///
    /// Work runs in the order of posting, which separate `Task`s would not guarantee.
    nonisolated func post(_ work: @escaping @Sendable (isolated Self) -> Void) {
        queue.async { self.assumeIsolated(work) }
    }

    /// Posts work after a delay; dropped if the actor has been released.
    nonisolated func post(
        after seconds: Double,
        _ work: @escaping @Sendable (isolated Self) -> Void
    ) {
        queue.dispatch.asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.assumeIsolated(work)
        }
    }

    /// Runs a closure on the queue, and waits for its result.
    nonisolated func sync<Value: Sendable>(_ work: (isolated Self) -> Value) -> Value {
        queue.sync { assumeIsolated(work) }
    }
}
