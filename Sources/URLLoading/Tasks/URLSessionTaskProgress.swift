import Dispatch
import Synchronization

/// How far a task is, with the names of Foundation's `Progress`.
///
/// Every reading is that of the moment. It may be observed (``observe(_:options:changeHandler:)``),
/// and the task cancelled, suspended and resumed by it. Foundation's own `Progress` lives in the
/// large Foundation, which this library does not load.
public final class URLSessionTaskProgress: Sendable {
    private let task: URLSessionTask

    init(_ task: URLSessionTask) {
        self.task = task
    }

    /// Bytes done, sent and received.
    public var completedUnitCount: Int64 { reading.completed }

    /// Bytes to do in all; −1 where either length is not known.
    public var totalUnitCount: Int64 { reading.total }

    /// Whether the task has ended.
    public var isFinished: Bool { task.state == .completed }

    /// Whether the task was cancelled, and has not been resumed since.
    public var isCancelled: Bool {
        task.locked.withLock { $0.lifecycle.isCancelled || $0.error?.code == .cancelled }
    }

    /// Whether the task waits to be resumed.
    public var isPaused: Bool { task.state == .suspended }

    /// Whether the remaining amount is unknown.
    public var isIndeterminate: Bool { totalUnitCount < 0 }

    /// The share that is done, 0 to 1; 0 while it is indeterminate, 1 at the end.
    public var fractionCompleted: Double {
        if isFinished { return 1 }
        let reading = reading
        guard reading.total > 0 else { return 0 }
        return min(1, Double(reading.completed) / Double(reading.total))
    }

    /// Cancels the task, see ``URLSessionTask/cancel()``.
    public func cancel() { task.cancel() }

    /// Holds the task, see ``URLSessionTask/suspend()``.
    public func pause() { task.suspend() }

    /// Starts or continues the task, see ``URLSessionTask/resume()``.
    public func resume() { task.resume() }

    /// Both directions together.
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

    /// A server may announce as much as fits into a number.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

extension URLSessionTaskProgress {
    /// What an observer is given, as Foundation's `NSKeyValueObservingOptions`.
    public struct ObservingOptions: OptionSet, Sendable {
        /// Foundation's bits.
        public let rawValue: UInt

        /// Options by their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The value after the change.
        public static let new = ObservingOptions(rawValue: 1)
        /// The value before the change.
        public static let old = ObservingOptions(rawValue: 2)
        /// A first call, with the value at hand.
        public static let initial = ObservingOptions(rawValue: 4)
    }

    /// One change of a value.
    public struct Change<Value> {
        /// The value after the change, where ``ObservingOptions/new`` asks for it.
        public let newValue: Value?
        /// The value before the change, where ``ObservingOptions/old`` asks for it.
        public let oldValue: Value?
    }

    /// Calls a handler when the task has come further, and when it has ended.
    ///
    /// It is called on the session's delegate queue, at most every 100 ms, and once more at the end,
    /// with what has changed meanwhile. It is not called where the value is still the same.
    ///
    /// - Parameters:
    ///   - keyPath: the value that matters.
    ///   - options: what the handler is given.
    ///   - changeHandler: takes the progress and the change.
    /// - Returns: the observation, which ends with ``Observation/invalidate()``, when it is released,
    ///   and after the task's end.
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
        // An end before there was an observer is not reported again.
        return observation
    }

    /// An observer's hold on a task's progress.
    public final class Observation: Sendable {
        private let observers: ProgressObservers
        private let identifier: Int

        fileprivate init(_ observers: ProgressObservers, _ identifier: Int) {
            self.observers = observers
            self.identifier = identifier
        }

        deinit { invalidate() }

        /// Ends it: no call begins after that on the delegate queue; on another thread one may be under way.
        public func invalidate() {
            observers.remove(identifier)
        }
    }
}

/// The observers of one task's progress, called on the delegate queue.
final class ProgressObservers: Sendable {
    /// The least time between two calls.
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
        // Released after the lock: what a handler holds is not ours.
        _ = state.withLock { $0.handlers.removeValue(forKey: identifier) }
    }

    /// Has them called; those of several changes in a short time once.
    func change(isEnd: Bool = false) {
        let moment: DispatchTime? = state.withLock { state in
            guard isEnd || !state.isDue, !state.handlers.isEmpty else { return nil }
            state.isDue = true
            let now = DispatchTime.now()
            return isEnd ? now : max(now, state.next)
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
            // One observer may have ended another's observation.
            state.withLock { $0.handlers[identifier] }?()
        }
        guard isEnd else { return }
        // Released after the lock.
        let ended = state.withLock { state in
            defer { state.handlers = [:] }
            return state.handlers
        }
        withExtendedLifetime(ended) {}
    }
}
