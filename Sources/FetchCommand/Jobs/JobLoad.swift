import Synchronization
import URLLoading

/// How much of `--jobs` is taken.
///
/// If requests share a connection (HTTP/2), a job counts for several of them, because a single one
/// would leave the line idle for a round trip each time. It never counts for more than the
/// connection's streams: more tasks would only wait, and use memory.
final class JobLoad: Sendable {
    private struct State {
        var taken = 0
        /// The tasks that use a stream.
        var streams = 0
        /// Files that are being synchronized, and take no share meanwhile.
        var synchronizing = 0
        /// The origins that take many requests over one connection.
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

    /// The share of a whole job.
    private static let whole = 32
    /// The streams of a connection: as many as libcurl opens (100), and some that start as others
    /// end.
    static let mostStreams = 128
    /// How many files may be synchronized beside the jobs; each is open.
    private static let mostSynchronizing = 64

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter jobs: how many run at once.
    init(jobs: Int) {
        limit = jobs * Self.whole
    }

    /// The share of a task at an origin.
    func share(of origin: Origin?) -> Int {
        state.withLock { origin.map($0.shared.contains) == true ? 1 : Self.whole }
    }

    /// Whether a task may begin.
    ///
    /// - Parameters:
    ///   - share: its share.
    ///   - isLast: whether it has to wait until all complete files have their names.
    /// - Returns: whether there is room for it.
    func hasRoom(for share: Int, behindAll isLast: Bool = false) -> Bool {
        state.withLock { state in
            guard state.taken + share <= limit, !(isLast && state.synchronizing > 0) else {
                return false
            }
            return share == Self.whole || state.streams < Self.mostStreams * state.shared.count
        }
    }

    /// A task begins.
    func add(_ share: Int) { state.withLock { $0.add(share) } }

    /// A task is over.
    func remove(_ share: Int) { state.withLock { $0.remove(share) } }

    /// A task's file is being synchronized.
    ///
    /// - Returns: whether the task takes no share meanwhile.
    fileprivate func beginSynchronizing(_ share: Int) -> Bool {
        state.withLock { state in
            // With a single job, ends are reported in the order of the list, including failures.
            guard limit > Self.whole, state.synchronizing < Self.mostSynchronizing else {
                return false
            }
            state.synchronizing += 1
            state.remove(share)
            return true
        }
    }

    fileprivate func endSynchronizing() { state.withLock { $0.synchronizing -= 1 } }

    /// An origin takes many requests over one connection.
    func note(shared origin: Origin?) {
        if let origin { state.withLock { _ = $0.shared.insert(origin) } }
    }
}

/// A task's place among the jobs.
///
/// The task releases it when its file is complete, so another task may start while the file is
/// synchronized.
final class JobSlot: Sendable {
    private let load: JobLoad
    private let share: Int
    private let waiter: Waiter
    /// Whether the slot is released.
    private let isFree = Mutex(false)

    init(of load: JobLoad, _ share: Int, _ waiter: Waiter) {
        (self.load, self.share, self.waiter) = (load, share, waiter)
        load.add(share)
    }

    /// An attempt of the task begins.
    func begin() {
        isFree.withLock { isFree in
            guard isFree else { return }
            isFree = false
            load.endSynchronizing()
            load.add(share)
        }
    }

    /// The task's file is complete, and is being synchronized.
    func synchronize() {
        let isFree = isFree.withLock { isFree in
            if !isFree { isFree = load.beginSynchronizing(share) }
            return isFree
        }
        if isFree { waiter.ring() }
    }

    /// The task is over.
    func end() {
        if isFree.withLock({ $0 }) { load.endSynchronizing() } else { load.remove(share) }
    }
}
