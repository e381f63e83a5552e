import FoundationEssentials
import Synchronization
import URLLoading

/// Orders the tasks that write to one output: each writes in turn, in the order of their starts.
struct OutputOrder {
    /// The queue on which bodies are written and turns begin.
    private let queue: DelegateLane
    private let begin: @Sendable (TaskRun) -> Void
    private var runs: [TaskRun] = []
    /// How many tasks wait for their turn, or have it.
    var count: Int { runs.count }
    private var isOver = false

    init(queue: DelegateLane, begin: @escaping @Sendable (TaskRun) -> Void) {
        self.queue = queue
        self.begin = begin
    }

    /// Appends a task if it writes to the shared output; its turn begins on the queue.
    mutating func add(_ run: TaskRun) {
        guard run.turn != nil else { return }
        runs.append(run)
        if runs.count == 1 { queue.async { [begin] in begin(run) } }
    }

    /// From now on, no turn begins.
    mutating func end() { isOver = true }

    /// Removes a task that writes no more, and begins the next task's turn.
    mutating func remove(_ run: TaskRun) {
        guard let place = runs.firstIndex(where: { $0 === run }) else { return }
        runs.remove(at: place)
        if place == 0, !isOver, let next = runs.first { queue.async { [begin] in begin(next) } }
    }
}

/// A task's turn to write to a shared output.
///
/// Bytes that arrive before the turn are buffered. Use on the delegate queue, unless stated
/// otherwise.
final class OutputTurn: Sendable {
    /// In bytes: if the buffer reaches this size, the task is suspended.
    static let limit = 1 << 20

    private struct State {
        /// Whether the turn has begun, and the buffer is written.
        var hasBegun = false
        /// Whether the turn has begun.
        var isBeginning = false
        var buffered: [Data] = []
        var size = 0
        /// The task that is suspended until its turn begins.
        var suspended: URLSessionTask?
    }

    private let state = Mutex(State())
    /// Signalled when the turn has begun, and the buffer is written.
    private let waiter = Waiter()

    /// Whether bytes may be written; any thread may read it.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Buffers bytes before the turn; `false` if they may be written now.
    func buffers(_ data: Data, of task: URLSessionTask) -> Bool {
        state.withLock { state in
            guard !state.hasBegun else { return false }
            state.buffered.append(data)
            state.size += data.count
            // Each attempt has a session task of its own.
            if state.size >= Self.limit, state.suspended !== task {
                state.suspended = task
                task.suspend()
            }
            return true
        }
    }

    /// Discards the buffer, because the body begins again; `false` if the buffer is written.
    func discard() -> Bool {
        state.withLock { state in
            guard !state.hasBegun, !state.isBeginning else { return false }
            state.buffered = []
            state.size = 0
            return true
        }
    }

    /// Begins the turn if there are no buffered bytes, and returns whether it did.
    func beginsAtOnce() -> Bool {
        let begins = state.withLock { state in
            state.hasBegun = state.buffered.isEmpty
            return state.hasBegun
        }
        if begins { waiter.ring() }
        return begins
    }

    /// Begins the turn: writes the buffered pieces, and those that arrive meanwhile, in order.
    func begin(_ write: ([Data]) -> Void) {
        var buffered = takeBuffered()
        repeat {
            write(buffered)
            buffered = takeBuffered()
        } while !state.withLock({ state in
            state.hasBegun = buffered.isEmpty && state.buffered.isEmpty
            return state.hasBegun
        })
        state.withLock { $0.suspended.take() }?.resume()
        waiter.ring()
    }

    private func takeBuffered() -> [Data] {
        state.withLock { state in
            state.isBeginning = true
            defer { (state.buffered, state.size) = ([], 0) }
            return state.buffered
        }
    }

    /// Waits until the turn has begun, and the buffer is written; an interruption prevents that.
    @MainLoop
    func wait() async -> Interruption? {
        if case .interruption(let why) = await waiter.wait(until: nil) { why } else { nil }
    }
}
