import FoundationEssentials
import Synchronization
import URLLoading

/// Orders the tasks that write to one output: each gets its turn in the order of their starts.
struct OutputOrder {
    private struct Entry {
        let run: TaskRun
        let come: @Sendable () -> Void
    }

    /// The queue on which bodies are written and turns begin.
    private let queue: DelegateLane
    private var entries: [Entry] = []
    /// How many tasks wait for their turn, or have it.
    var count: Int { entries.count }
    private var isOver = false

    init(queue: DelegateLane) {
        self.queue = queue
    }

    /// Appends a task, if it writes to the shared output.
    ///
    /// - Parameters:
    ///   - run: the task.
    ///   - come: called on the queue when its turn begins.
    mutating func add(_ run: TaskRun, _ come: @escaping @Sendable () -> Void) {
        guard run.turn != nil else { return }
        entries.append(Entry(run: run, come: come))
        if entries.count == 1 { queue.async(come) }
    }

    /// No turn begins any more.
    mutating func end() { isOver = true }

    /// A task writes nothing more; the next one's turn begins.
    mutating func remove(_ run: TaskRun) {
        guard let place = entries.firstIndex(where: { $0.run === run }) else { return }
        entries.remove(at: place)
        if place == 0, !isOver, let next = entries.first { queue.async(next.come) }
    }
}

/// A task's turn to write to a shared output.
///
/// Bytes that arrive earlier are buffered.
///
/// Used on the delegate queue, unless stated otherwise.
final class OutputTurn: Sendable {
    /// The most bytes that are buffered; then the task is suspended.
    static let limit = 1 << 20

    private struct State {
        /// The turn has begun, and the buffer is written.
        var hasCome = false
        /// The turn has begun.
        var isComing = false
        var buffered: [Data] = []
        var size = 0
        /// The task that is suspended until the turn begins.
        var suspended: URLSessionTask?
    }

    private let state = Mutex(State())
    /// Rung when the turn has begun, and the buffer is written.
    private let waiter = Waiter()

    /// Whether bytes may be written; from any thread.
    var hasCome: Bool { state.withLock { $0.hasCome } }

    /// Buffers bytes until the turn begins.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - task: their task.
    /// - Returns: whether they are buffered; otherwise they may be written now.
    func buffers(_ data: Data, of task: URLSessionTask) -> Bool {
        state.withLock { state in
            guard !state.hasCome else { return false }
            state.buffered.append(data)
            state.size += data.count
            // Each try has its own task.
            if state.size >= Self.limit, state.suspended !== task {
                state.suspended = task
                task.suspend()
            }
            return true
        }
    }

    /// Discards the buffer, because the body begins again at its first byte.
    ///
    /// - Returns: whether that was possible; otherwise the turn has begun, and the buffer is
    ///   written.
    func forget() -> Bool {
        state.withLock { state in
            guard !state.hasCome, !state.isComing else { return false }
            state.buffered = []
            state.size = 0
            return true
        }
    }

    /// Begins the turn, unless buffered bytes have to be written first.
    func comesAtOnce() -> Bool {
        let comes = state.withLock { state in
            state.hasCome = state.buffered.isEmpty
            return state.hasCome
        }
        if comes { waiter.ring() }
        return comes
    }

    /// Begins the turn.
    ///
    /// Bytes that arrive while the buffer is written follow it.
    ///
    /// - Parameter write: writes buffered bytes, a piece at a time and in order.
    func come(_ write: ([Data]) -> Void) {
        var buffered = takeBuffered()
        repeat {
            write(buffered)
            buffered = takeBuffered()
        } while !state.withLock({ state in
            state.hasCome = buffered.isEmpty && state.buffered.isEmpty
            return state.hasCome
        })
        state.withLock { $0.suspended.take() }?.resume()
        waiter.ring()
    }

    private func takeBuffered() -> [Data] {
        state.withLock { state in
            state.isComing = true
            defer { (state.buffered, state.size) = ([], 0) }
            return state.buffered
        }
    }

    /// Waits until the turn has begun, and the buffer is written.
    ///
    /// - Returns: why it will not begin; `nil`: it has.
    @MainLoop
    func wait() async -> Interruption? {
        if case .interruption(let why) = await waiter.wait(until: nil) { why } else { nil }
    }
}
