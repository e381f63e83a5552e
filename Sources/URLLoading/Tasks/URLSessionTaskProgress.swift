import Dispatch
import Synchronization

/// The progress of a task, with the names of Foundation's `Progress`.
///
/// Every property reads the state at the moment of the call. A caller can observe the progress
/// (``observe(_:options:changeHandler:)``), and cancel, suspend and resume the task. Foundation's `Progress`
/// is part of full Foundation, which this library does not load.
public final class URLSessionTaskProgress: Sendable {
    private let task: URLSessionTask

    init(_ task: URLSessionTask) {
        self.task = task
    }

    /// The number of bytes sent and received.
    public var completedUnitCount: Int64 { reading.completed }

    /// The number of bytes to send and to receive; −1 where either length is unknown.
    public var totalUnitCount: Int64 { reading.total }

    /// Whether the task has ended without an error.
    public var isFinished: Bool { task.state == .completed && task.error == nil }

    /// Whether the caller has cancelled the task.
    public var isCancelled: Bool {
        task.locked.withLock { locked in
            locked.error.map { $0.code == .cancelled } ?? locked.lifecycle.isCancelled
        }
    }

    /// Whether the task is suspended.
    public var isPaused: Bool { task.state == .suspended }

    /// Whether the remaining amount is unknown.
    public var isIndeterminate: Bool { totalUnitCount < 0 }

    /// The completed fraction, 0 to 1; 0 while it is indeterminate, 1 after a success.
    public var fractionCompleted: Double {
        if isFinished { return 1 }
        let reading = reading
        guard reading.total > 0 else { return 0 }
        return min(1, Double(reading.completed) / Double(reading.total))
    }

    /// Cancels the task, see ``URLSessionTask/cancel()``.
    public func cancel() { task.cancel() }

    /// Suspends the task, see ``URLSessionTask/suspend()``.
    public func pause() { task.suspend() }

    /// Starts or continues the task, see ``URLSessionTask/resume()``.
    public func resume() { task.resume() }

    /// Sent and received bytes together.
    private var reading: (completed: Int64, total: Int64) {
        let (sent, received) = task.locked.withLock { locked in
            (
                locked.sent.expecting(locked.clientExpectsToSend),
                locked.received.expecting(locked.clientExpectsToReceive)
            )
        }
        let isKnown = sent.expected >= 0 && received.expected >= 0
        return (
            Self.sum(sent.total, received.total),
            isKnown ? Self.sum(sent.expected, received.expected) : -1
        )
    }

    /// The sum, capped: a server may state any 64-bit length.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

extension URLSessionTaskProgress {
    /// The values that an observer receives, like Foundation's `NSKeyValueObservingOptions`.
    public struct ObservingOptions: OptionSet, Sendable {
        /// The bits, as in Foundation.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The value after the change.
        public static let new = ObservingOptions(rawValue: 1)
        /// The value before the change.
        public static let old = ObservingOptions(rawValue: 2)
        /// A first call at once, with the current value.
        public static let initial = ObservingOptions(rawValue: 4)
    }

    /// One change of a value.
    public struct Change<Value> {
        /// The value after the change, where ``ObservingOptions/new`` asks for it.
        public let newValue: Value?
        /// The value before the change, where ``ObservingOptions/old`` asks for it.
        public let oldValue: Value?
    }

    /// Calls a handler when the progress changes, and at the task's end.
    ///
    /// The session calls the handler on its delegate queue, at most every 100 ms, and once more at the end.
    /// It combines changes in between, and makes no call for an unchanged value.
    ///
    /// - Parameters:
    ///   - keyPath: the value to observe.
    ///   - options: the values that the handler receives.
    ///   - changeHandler: takes the progress and the change.
    /// - Returns: the observation. It ends with ``Observation/invalidate()``, when it is released, and
    ///   after the task's end.
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<URLSessionTaskProgress, Value> & Sendable,
        options: ObservingOptions = [],
        changeHandler: @escaping @Sendable (URLSessionTaskProgress, Change<Value>) -> Void
    ) -> Observation {
        let last = Mutex(self[keyPath: keyPath])
        let handler: @Sendable (Bool) -> Void = { [self] isFirst in
            let value = self[keyPath: keyPath]
            let before = last.withLock { last in
                defer { last = value }
                return last
            }
            guard isFirst || before != value else { return }
            changeHandler(
                self,
                Change(
                    newValue: options.contains(.new) ? value : nil,
                    oldValue: options.contains(.old) && !isFirst ? before : nil
                )
            )
        }
        let observers = task.locked.withLock { locked in
            if let observers = locked.observers { return observers }
            let made = ProgressObservers(task.session.queue)
            locked.observers = made
            return made
        }
        let observation = Observation(observers, observers.add { handler(false) })
        if options.contains(.initial) { handler(true) }
        // A task that ended before the caller added this observer reports no end to it.
        return observation
    }

    /// An active observation; it ends when it is released.
    public final class Observation: Sendable {
        private let observers: ProgressObservers
        private let identifier: Int

        fileprivate init(_ observers: ProgressObservers, _ identifier: Int) {
            self.observers = observers
            self.identifier = identifier
        }

        deinit { invalidate() }

        /// Ends the observation: no later call begins on the delegate queue.
        ///
        /// A call may still run on another thread.
        public func invalidate() {
            observers.remove(identifier)
        }
    }
}

/// The observers of one task's progress, called on the delegate queue.
final class ProgressObservers: Sendable {
    /// The shortest time between two calls.
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var added = 0
        var isDue = false
        var next = DispatchTime(uptimeNanoseconds: 0)
    }

    private let queue: DelegateLane
    private let state = Mutex(State())

    init(_ queue: DelegateLane) {
        self.queue = queue
    }

    func add(_ handler: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.added += 1
            state.handlers[state.added] = handler
            return state.added
        }
    }

    func remove(_ identifier: Int) {
        // Released after the lock: the release of a handler may run the caller's code.
        _ = state.withLock { $0.handlers.removeValue(forKey: identifier) }
    }

    /// Calls the handlers; several changes in a short time cause one call.
    func change(isEnd: Bool = false) {
        let moment: DispatchTime? = state.withLock { state in
            guard isEnd || !state.isDue, !state.handlers.isEmpty else { return nil }
            state.isDue = true
            return max(.now(), state.next)
        }
        guard let moment else { return }
        if isEnd { return queue.async { self.call(isEnd: true) } }
        queue.asyncAfter(deadline: moment) { self.call(isEnd: false) }
    }

    private func call(isEnd: Bool) {
        let identifiers = state.withLock { state in
            state.isDue = false
            state.next = .now() + Self.interval
            return state.handlers.keys.sorted()
        }
        for identifier in identifiers {
            // One observer may have ended another's observation meanwhile.
            state.withLock { $0.handlers[identifier] }?()
        }
        guard isEnd else { return }
        // Released after the lock.
        var ended: [Int: @Sendable () -> Void] = [:]
        state.withLock { swap(&ended, &$0.handlers) }
    }
}
