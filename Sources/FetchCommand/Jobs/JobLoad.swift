import Synchronization
import URLLoading

/// How many tasks run at once, and how many files are synchronized beside them.
struct JobLimits: Equatable {
    /// The descriptors that a run has without tasks, and a few more for folders and names.
    private static let common = 16
    /// The descriptors of a task: a socket, a file, and those of a connection that is being made.
    private static let each = 4
    /// The most files that are synchronized in addition to the jobs; each needs a descriptor.
    private static let maximumSynchronizing = 64

    /// The fewest descriptors with which a run can report its errors: the standard streams, those of signals,
    /// of the loop and of Dispatch, a socket and a file.
    static let fewestDescriptors = 10

    let jobs: Int
    /// How many tasks may use streams of shared connections; each needs a descriptor.
    let streams: Int
    let synchronizing: Int

    /// `descriptors`: how many the process may open.
    init(jobs: Int, descriptors: Int) {
        self.jobs = min(jobs, max(1, (descriptors - Self.common) / Self.each))
        let half = max(0, descriptors - Self.common - self.jobs * Self.each) / 2
        streams = self.jobs + half
        synchronizing = min(half, Self.maximumSynchronizing)
    }

    /// The most descriptors that a run needs.
    static func descriptors(for jobs: Int) -> Int {
        common + jobs * each + 2 * max(maximumSynchronizing, JobLoad.maximumStreams)
    }
}

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
    /// The most tasks for a connection: libcurl's 100 streams, and some that start when others end.
    static let maximumStreams = 128

    private let limits: JobLimits
    private var limit: Int { limits.jobs * Self.whole }
    private let state = Mutex(State())

    init(_ limits: JobLimits) { self.limits = limits }

    func share(of origin: Origin?) -> Int {
        state.withLock { origin.map($0.shared.contains) == true ? 1 : Self.whole }
    }

    /// Whether a task may start; `isLast`: only after all complete files have their names.
    func hasRoom(for share: Int, behindAll isLast: Bool = false) -> Bool {
        state.withLock { state in
            guard state.taken + share <= limit, !(isLast && state.synchronizing > 0) else {
                return false
            }
            guard share != Self.whole else { return true }
            return state.streams < min(Self.maximumStreams * state.shared.count, limits.streams)
        }
    }

    func add(_ share: Int) { state.withLock { $0.add(share) } }

    func remove(_ share: Int) { state.withLock { $0.remove(share) } }

    /// Records that a task's file is being synchronized; `true` if it takes no share meanwhile.
    fileprivate func beginSynchronizing(_ share: Int) -> Bool {
        state.withLock { state in
            // With one job, tasks must end in the order of the list, including failures.
            guard limit > Self.whole, state.synchronizing < limits.synchronizing else {
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

/// A task's share of the jobs, released while its complete file is synchronized.
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

    func end() {
        if isFree.withLock({ $0 }) { load.endSynchronizing() } else { load.remove(share) }
    }
}
