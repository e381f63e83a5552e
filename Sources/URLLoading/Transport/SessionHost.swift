import CurlMulti
import Synchronization
import SystemPackage

/// A program that hosts its session and takes the bodies of data tasks where they lie, without a copy.
package protocol BodyTaker: AnyObject, Sendable {
    /// Whether it does so, and is not given pieces as a delegate; the same for a session's whole life.
    var takesBodies: Bool { get }

    /// Takes bytes of a task's body, after the delegate returned `allow` for the response, and
    /// before the task's end is reported; never waits.
    ///
    /// - Parameters:
    ///   - bytes: the bytes, in their order; gone when this returns.
    ///   - task: the task; its delegate has none of its own.
    /// - Returns: how many were taken. Where these are not all, it has to call
    ///   ``URLSessionTask/takesMore()`` once it takes more: the rest comes again then.
    func take(_ bytes: UnsafeRawBufferPointer, of task: URLSessionDataTask) -> Int
}

/// The thread of a program that runs its session itself: the first loop of the session's transport, its
/// delegate's calls, and what else the program waits for, in one wait.
///
/// The program calls ``iterate()``, drains ``lane``, and sleeps, always on one thread. What may wait for a
/// disk, another process or a reader is not done there (``DelegateLane/handOff(_:)``).
package final class SessionHost: Sendable {
    private struct State {
        /// What hosted sessions have begun, and the thread has not seen yet.
        var begun: TransferLoop?
        var hasLoop = false
    }

    /// Where delegates and handlers of the hosted sessions are called.
    package let lane: DelegateLane
    private let bell: LoopBell
    private let state = Mutex(State())
    // Unsafe: used on the host's thread and nowhere else.
    nonisolated(unsafe) private var iterations: LoopIterations?

    /// Throws `resourceUnavailable` where the process has no descriptor left.
    package init() throws(URLError) {
        do {
            let bell = try LoopBell()
            self.bell = bell
            lane = DelegateLane { bell.ring() }
        } catch {
            throw URLError(.resourceUnavailable, detail: "no descriptor: \(error)")
        }
    }

    /// Makes a loop that this thread runs; `nil` where it runs another, which has not ended yet.
    func makeLoop(_ limits: LoopLimits) -> TransferLoop? {
        state.withLock { state in
            guard !state.hasLoop else { return nil }
            let loop = TransferLoop(limits: limits, hostedBy: bell)
            state.hasLoop = true
            state.begun = loop
            return loop
        }
    }

    /// Ends the sleep, or keeps the thread from the next one; from any thread, after the posting of what
    /// `isBusy` of ``sleep(until:lasting:readable:writable:unless:)`` looks for.
    package func ring() {
        bell.ring()
    }

    /// One iteration of the loop, if there is one: commands, what libcurl can do, what comes of it.
    package func iterate() {
        if iterations == nil {
            iterations = state.withLock { $0.begun.take() }.map { LoopIterations($0) }
        }
        guard let iterations, !iterations.iterate() else { return }
        self.iterations = nil
        state.withLock { $0.hasLoop = false }
    }

    /// Sleeps until there is something to do for the loop, the lane or the program.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - lasting: descriptors that may be read from and have no end.
    ///   - readable: descriptors that are read from; their end counts.
    ///   - writable: descriptors that are written to; that the reader has gone counts.
    ///   - isBusy: whether the program has something to do already.
    /// - Returns: those that are ready.
    package func sleep(
        until moment: MonotonicInstant?,
        lasting: [CInt],
        readable: [CInt],
        writable: [CInt],
        unless isBusy: () -> Bool
    ) -> [CInt] {
        var awaited: [AwaitedDescriptor] = []
        // And the bell.
        awaited.reserveCapacity(lasting.count + readable.count + writable.count + 1)
        for descriptor in lasting { awaited.append(AwaitedDescriptor(descriptor, mayEnd: false)) }
        for descriptor in readable { awaited.append(AwaitedDescriptor(descriptor)) }
        for descriptor in writable {
            awaited.append(AwaitedDescriptor(descriptor, isWritten: true))
        }
        func isAnyBusy() -> Bool {
            lane.isBusy || state.withLock { $0.begun != nil } || isBusy()
        }
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
