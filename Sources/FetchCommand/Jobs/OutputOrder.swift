import Dispatch

/// Gives tasks that write to one output their turns, in the order in which they were begun.
struct OutputOrder {
    private struct Entry {
        let run: TaskRun
        let come: @Sendable () -> Void
    }

    /// Where bodies are written: a turn comes there, between two of them.
    private let queue: DispatchQueue
    private var entries: [Entry] = []
    /// How many wait for their turn, or have it.
    var count: Int { entries.count }
    private var isOver = false

    init(queue: DispatchQueue) {
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
        if entries.count == 1 { queue.async(execute: come) }
    }

    /// Nobody's turn comes any more.
    mutating func end() { isOver = true }

    /// A task writes nothing more: the next one's turn comes.
    mutating func remove(_ run: TaskRun) {
        guard let place = entries.firstIndex(where: { $0.run === run }) else { return }
        entries.remove(at: place)
        if place == 0, !isOver, let next = entries.first { queue.async(execute: next.come) }
    }
}
