import Synchronization
import URLLoading

/// How much of the limit of `--jobs` is used.
///
/// If requests share a connection (HTTP/2), several tasks count as one job, because a single one
/// would leave the connection idle for a round trip each time. The connection's streams limit their
/// number: more tasks would only wait, and use memory.
final class JobLoad: Sendable {
    private struct State {
        var taken = 0
        /// The number of tasks that use a stream of a shared connection.
        var streams = 0
        /// The number of files that are being synchronized; their tasks take no share.
        var synchronizing = 0
        /// The origins that accept many requests on one connection.
        var shared: Set<Origin> = []

        mutating func add(_ share: Int) {
            taken += share
            if share != JobLoad.whole { streams += 1 }
        }

        mutating func remove(_ share: Int) {
            taken -= share
            if share != JobLoad.whole { streams -= 1 }
        }
    }

    /// The share of a task that counts as a whole job.
    private static let whole = 32
    /// The maximum number of tasks for a connection: the 100 streams that libcurl opens, and some
    /// that start when others end.
    static let maximumStreams = 128
    /// The maximum number of files synchronized in addition to the jobs; each needs a descriptor.
    private static let maximumSynchronizing = 64

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter jobs: how many jobs run at once.
    init(jobs: Int) {
        limit = jobs * Self.whole
    }

    /// The share of a task at an origin.
    func share(of origin: Origin?) -> Int {
        state.withLock { origin.map($0.shared.contains) == true ? 1 : Self.whole }
    }

    /// Whether a task may start.
    ///
    /// - Parameters:
    ///   - share: the task's share.
    ///   - isLast: whether the task must start after all complete files have their names.
    /// - Returns: whether the limits allow it.
    func hasRoom(for share: Int, behindAll isLast: Bool = false) -> Bool {
        state.withLock { state in
            guard state.taken + share <= limit, !(isLast && state.synchronizing > 0) else {
                return false
            }
            return share == Self.whole || state.streams < Self.maximumStreams * state.shared.count
        }
    }

    /// Records the start of a task.
    func add(_ share: Int) { state.withLock { $0.add(share) } }

    /// Records the end of a task.
    func remove(_ share: Int) { state.withLock { $0.remove(share) } }

    /// Records that a task's file is being synchronized.
    ///
    /// - Returns: whether the task takes no share meanwhile.
    fileprivate func beginSynchronizing(_ share: Int) -> Bool {
        state.withLock { state in
            // With one job, tasks must end in the order of the list, including failures.
            guard limit > Self.whole, state.synchronizing < Self.maximumSynchronizing else {
                return false
            }
            state.synchronizing += 1
            state.remove(share)
            return true
        }
    }

    fileprivate func endSynchronizing() { state.withLock { $0.synchronizing -= 1 } }

    /// Records that an origin accepts many requests on one connection.
    func note(shared origin: Origin?) {
        if let origin { state.withLock { _ = $0.shared.insert(origin) } }
    }
}

/// A task's share of the jobs.
///
/// The task releases the share when its file is complete, so that another task may start while the
/// file is synchronized.
final class JobSlot: Sendable {
    private let load: JobLoad
    private let share: Int
    private let waiter: Waiter
    /// Whether the share is released.
    private let isFree = Mutex(false)

    init(of load: JobLoad, _ share: Int, _ waiter: Waiter) {
        (self.load, self.share, self.waiter) = (load, share, waiter)
        load.add(share)
    }

    /// Takes the share again when another attempt of the task starts.
    func begin() {
        isFree.withLock { isFree in
            guard isFree else { return }
            isFree = false
            load.endSynchronizing()
            load.add(share)
        }
    }

    /// Releases the share when the task's file is complete and is being synchronized.
    func synchronize() {
        let isFree = isFree.withLock { isFree in
            if !isFree { isFree = load.beginSynchronizing(share) }
            return isFree
        }
        if isFree { waiter.ring() }
    }

    /// Ends the task.
    func end() {
        if isFree.withLock({ $0 }) { load.endSynchronizing() } else { load.remove(share) }
    }
}
