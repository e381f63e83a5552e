import FoundationEssentials
import Synchronization
import URLLoading

/// Gives tasks that write to one output their turns, in the order in which they were begun.
struct OutputOrder {
    private struct Entry {
        let run: TaskRun
        let come: @Sendable () -> Void
    }

    /// Where bodies are written: a turn comes there, between two of them.
    private let queue: DelegateLane
    private var entries: [Entry] = []
    /// How many wait for their turn, or have it.
    var count: Int { entries.count }
    private var isOver = false

    init(queue: DelegateLane) {
        self.queue = queue
    }

    /// Puts a task at the end, if it writes where others do.
    ///
    /// - Parameters:
    ///   - run: the task.
    ///   - come: called on the queue when its turn comes.
    mutating func add(_ run: TaskRun, _ come: @escaping @Sendable () -> Void) {
        guard run.turn != nil else { return }
        entries.append(Entry(run: run, come: come))
        if entries.count == 1 { queue.async(come) }
    }

    /// No job's turn comes any more.
    mutating func end() { isOver = true }

    /// A task writes nothing more: the next one's turn comes.
    mutating func remove(_ run: TaskRun) {
        guard let place = entries.firstIndex(where: { $0.run === run }) else { return }
        entries.remove(at: place)
        if place == 0, !isOver, let next = entries.first { queue.async(next.come) }
    }
}

/// A task's turn to write where others write, too: what comes before it is held.
///
/// Used on the delegate queue, but for what is said to be otherwise.
final class OutputTurn: Sendable {
    /// What is held of a body, bytes; its task is suspended then.
    static let limit = 1 << 20

    private struct State {
        /// It has come, and nothing that was held is left to be written.
        var hasCome = false
        /// It has come.
        var isComing = false
        var buffered: [Data] = []
        var size = 0
        /// Suspended until the turn comes.
        var suspended: URLSessionTask?
    }

    private let state = Mutex(State())
    /// What is rung when it has come, and what was held is written.
    private let waiter = Waiter()

    /// Whether what comes may be written; from any thread.
    var hasCome: Bool { state.withLock { $0.hasCome } }

    /// Holds bytes until the turn comes.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - task: where they come from.
    /// - Returns: whether they are held; if not, they may be written now.
    func buffers(_ data: Data, of task: URLSessionTask) -> Bool {
        state.withLock { state in
            guard !state.hasCome else { return false }
            state.buffered.append(data)
            state.size += data.count
            // Another try's task is another one.
            if state.size >= Self.limit, state.suspended !== task {
                state.suspended = task
                task.suspend()
            }
            return true
        }
    }

    /// Drops what is held, for the body to come from its first byte again.
    ///
    /// - Returns: whether that could be; if not, the turn has come, and it is written.
    func forget() -> Bool {
        state.withLock { state in
            guard !state.hasCome, !state.isComing else { return false }
            state.buffered = []
            state.size = 0
            return true
        }
    }

    /// The turn has come, if nothing was held that has to be written first.
    func comesAtOnce() -> Bool {
        let comes = state.withLock { state in
            state.hasCome = state.buffered.isEmpty
            return state.hasCome
        }
        if comes { waiter.ring() }
        return comes
    }

    /// The turn has come.
    ///
    /// What comes while the held is written is written behind it.
    ///
    /// - Parameter write: writes what was held, a piece at a time and in order, if there is any.
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

    /// Waits until it has come, and what was held is written.
    ///
    /// - Returns: why it will not come.
    @MainLoop
    func wait() async -> Interruption? {
        if case .interruption(let why) = await waiter.wait(until: nil) { why } else { nil }
    }
}
