import CurlMulti
import Synchronization
import SystemPackage

/// A program that runs its session itself, and reads the bodies of data tasks without a copy.
package protocol BodyTaker: AnyObject, Sendable {
    /// Whether the host receives bodies instead of the delegate; constant during a session's life.
    var takesBodies: Bool { get }

    /// Takes bytes of a task's body, after the delegate returned `allow`, and before the session reports the
    /// task's end. Must not block.
    ///
    /// - Parameters:
    ///   - bytes: the bytes, in order; valid only during the call.
    ///   - task: the task, which has no delegate of its own.
    /// - Returns: the number of bytes taken. If fewer than all, the taker must call
    ///   ``URLSessionTask/reportRoom()`` when it has room; the rest is then passed again.
    func take(_ bytes: UnsafeRawBufferPointer, of task: URLSessionDataTask) -> Int
}

/// The thread of a program that runs its session itself: the transport's first loop, the delegate's
/// calls, and the program's other events, in one wait.
///
/// The program calls ``iterate()``, drains ``lane``, and sleeps, always on one thread. Work that may
/// wait for a disk, another process or a reader runs elsewhere (``DelegateLane/handOff(_:)``).
package final class SessionHost: Sendable {
    private struct State {
        /// A loop that has not run yet.
        var begun: TransferLoop?
        var hasLoop = false
    }

    /// The lane of the hosted sessions' delegates and handlers.
    package let lane: DelegateLane
    private let bell: LoopBell
    private let state = Mutex(State())
    // Unsafe: used only on the host's thread.
    nonisolated(unsafe) private var iterations: LoopIterations?

    /// Throws `resourceUnavailable` where the process has no file descriptor left.
    package init() throws(URLError) {
        do {
            let bell = try LoopBell()
            self.bell = bell
            lane = DelegateLane { bell.ring() }
        } catch {
            throw URLError(.resourceUnavailable, detail: "no descriptor: \(error)")
        }
    }

    /// Creates a loop that this thread runs; `nil` while it runs another one.
    func makeLoop(_ limits: LoopLimits) -> TransferLoop? {
        state.withLock { state in
            guard !state.hasLoop else { return nil }
            let loop = TransferLoop(limits: limits, hostedBy: bell)
            state.hasLoop = true
            state.begun = loop
            return loop
        }
    }

    /// Ends the current or the next sleep; callable from any thread.
    ///
    /// The caller first publishes the work that `isBusy` of
    /// ``sleep(until:lasting:readable:writable:unless:)`` checks.
    package func ring() {
        bell.ring()
    }

    /// Runs one iteration of the loop, if there is one: commands, libcurl's work, and handlers.
    package func iterate() {
        if iterations == nil {
            iterations = state.withLock { $0.begun.take() }.map { LoopIterations($0) }
        }
        guard let iterations, !iterations.iterate() else { return }
        self.iterations = nil
        state.withLock { $0.hasLoop = false }
    }

    /// Sleeps until the loop, the lane or the program has work.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil`: none.
    ///   - lasting: descriptors to await for reading; the host ignores their end of file.
    ///   - readable: descriptors to await for reading; their end of file counts.
    ///   - writable: descriptors to await for writing; a reader that closed counts.
    ///   - isBusy: whether the program already has work.
    /// - Returns: the descriptors that are ready.
    package func sleep(
        until moment: MonotonicInstant?,
        lasting: [CInt],
        readable: [CInt],
        writable: [CInt],
        unless isBusy: () -> Bool
    ) -> [CInt] {
        var awaited: [AwaitedDescriptor] = []
        // One more for the bell.
        awaited.reserveCapacity(lasting.count + readable.count + writable.count + 1)
        for descriptor in lasting { awaited.append(AwaitedDescriptor(descriptor, mayEnd: false)) }
        for descriptor in readable { awaited.append(AwaitedDescriptor(descriptor)) }
        for descriptor in writable {
            awaited.append(AwaitedDescriptor(descriptor, isWritten: true))
        }
        func isAnyBusy() -> Bool { lane.isBusy || state.withLock { $0.begun != nil } || isBusy() }
        if let iterations {
            iterations.wait(until: moment, among: &awaited, unless: isAnyBusy)
        } else {
            bell.wait(until: moment, among: &awaited, unless: isAnyBusy)
        }
        var ready: [CInt] = []
        for one in awaited where one.isReady { ready.append(one.descriptor) }
        return ready
    }
}
