import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// Writes complete files to the disk in groups, before the session reports the ends of their tasks.
///
/// A disk takes about as long for sixteen files at a time as for one. Their blocks share one commit of the
/// file system's journal and one flush of the disk's cache. So the worker takes all files that are waiting,
/// and does not wait for more. It calls fsync(2) for each file, and an error concerns one file alone.
///
/// A group also writes the folders of renamed files of earlier groups. Beside the files that costs no extra
/// time.
final class FileSynchronizer: Sendable {
    private struct Entry {
        let download: Download
        let then: @Sendable (URLError?) -> Void

        /// Writes the file to the disk, and returns the error.
        func synchronize() -> URLError? {
            do throws(URLError) {
                download.waitForSaves()
                try download.synchronize()
                // The wait for the disk may be long, and the program may be killed meanwhile.
                download.file.removeAttribute()
                return nil
            } catch {
                return error
            }
        }
    }

    private struct State {
        /// Files, in the order in which they were completed.
        var waiting: [Entry] = []
        /// Folders in which files were renamed, each with the path of one of these files.
        var folders: [ExactText: String] = [:]
        /// One of these folders, which usually is that of the next file too.
        var lastFolder: ExactText?
        var isWorking = false
        /// The device of the last file on a disk.
        ///
        /// We do not store that of a file in memory: another file system may get the number later.
        var diskDevice: dev_t?
        /// The queues that work beside the worker; the worker adds one when it needs more.
        var helpers: [DispatchQueue] = []
    }

    /// The most fsync(2) calls at once: more gain little, and each needs a thread.
    private static let width = 16
    /// A shorter call did not wait for a disk: the file is in memory, or already on the disk.
    private static let shortestWait: Duration = .microseconds(100)

    private let mode: URLSessionConfiguration.FileSynchronization
    private let state = Mutex(State())
    private let worker = SerialQueue("URLLoading.FileSynchronizer")
    /// Whether a call of the last group waited for a disk.
    private let hasWaited = Atomic(true)

    init(_ mode: URLSessionConfiguration.FileSynchronization) {
        self.mode = mode
    }

    /// Whether a job may continue with another task while the worker writes the file to the disk.
    var isGrouped: Bool { mode == .group }

    /// Whether the session must write a complete file to the disk, which a file in memory does not have.
    func isNeeded(for download: Download) -> Bool {
        guard mode != .none else { return false }
        let device = download.file.status.st_dev
        if state.withLock({ $0.diskDevice == device }) { return true }
        guard !download.file.isInMemory else { return false }
        state.withLock { $0.diskDevice = device }
        return true
    }

    /// Writes a complete file to the disk, and reports the result after those of all files added before.
    ///
    /// The worker's thread calls `then` once, with the error, or `nil`; it may block.
    func add(_ download: Download, then: @escaping @Sendable (URLError?) -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(Entry(download: download, then: then))
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if starts { worker.async { [self] in work() } }
    }

    /// Notes that a task has renamed a file to this path: the next group writes its folder to the disk.
    func note(named path: String) {
        guard mode != .none else { return }
        let folder = ExactText(FolderTrust.folder(of: path))
        state.withLock { state in
            guard state.lastFolder != folder else { return }
            state.folders[folder] = path
            state.lastFolder = folder
        }
    }

    /// Writes to the disk the folders in which files were renamed since the last group.
    ///
    /// Waits for the disk.
    func synchronizeFolders() {
        for path in takeFolders() { FolderSync.synchronize(folderOf: path) }
    }

    /// Removes and returns the noted folders, each as the path of one of its files.
    func takeFolders() -> [String] {
        state.withLock { state in
            defer { (state.folders, state.lastFolder) = ([:], nil) }
            return Array(state.folders.values)
        }
    }

    private func work() {
        while let group = next() {
            // Beside a single file a folder would take as long again: the next group or the session's
            // end writes it.
            if group.count == 1, let one = group.first {
                let start = MonotonicInstant.now
                let failure = one.synchronize()
                hasWaited.store(Self.isWait(since: start), ordering: .relaxed)
                one.then(failure)
                continue
            }
            let folders = takeFolders()
            let failures = Mutex([Int: URLError]())
            inParallel(group.count + folders.count) { number in
                guard number < group.count else {
                    FolderSync.synchronize(folderOf: folders[number - group.count])
                    return
                }
                guard let failure = group[number].synchronize() else { return }
                failures.withLock { $0[number] = failure }
            }
            for (number, entry) in group.enumerated() {
                entry.then(failures.withLock { $0[number] })
            }
        }
    }

    /// Whether a call that began at this moment has waited for a disk.
    private static func isWait(since start: MonotonicInstant) -> Bool {
        MonotonicInstant.now - start >= shortestWait
    }

    /// The next group; `nil` where no file is waiting, and the worker stops.
    private func next() -> [Entry]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            let group = Array(state.waiting.prefix(isGrouped ? .max : 1))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    /// Calls the body with each number below `count`, on several threads, and waits for all calls.
    ///
    /// If no call of the last group waited for a disk, the calls run one after another until one waits. To
    /// wake a thread for each would cost more than the calls.
    private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let calls = Calls()
        let takeOne: @Sendable () -> Bool = {
            let number = calls.begun.add(1, ordering: .relaxed).oldValue
            guard number < count else { return false }
            let start = MonotonicInstant.now
            body(number)
            if Self.isWait(since: start) { calls.haveWaited.store(true, ordering: .relaxed) }
            return true
        }
        defer { hasWaited.store(calls.haveWaited.load(ordering: .relaxed), ordering: .relaxed) }
        if !hasWaited.load(ordering: .relaxed) {
            while !calls.haveWaited.load(ordering: .relaxed) { guard takeOne() else { return } }
        }
        let work: @Sendable () -> Void = { while takeOne() {} }
        let helpers = state.withLock { state in
            let wanted = min(count, Self.width) - 1
            while state.helpers.count < wanted {
                state.helpers.append(DispatchQueue(label: "URLLoading.FileSynchronizer.helper"))
            }
            return state.helpers.prefix(wanted)
        }
        let group = DispatchGroup()
        for helper in helpers { helper.async(group: group, execute: work) }
        work()
        group.wait()
    }

    /// The calls of one group, which several threads make.
    private final class Calls: Sendable {
        let begun = Atomic(0)
        let haveWaited = Atomic(false)
    }
}

extension URLSessionTask {
    /// Called for a complete download that waits for the disk in a group, before the session reports the
    /// task's end.
    ///
    /// Not called if the task writes the file to the disk at once.
    package var bodyCompletionHandler: (@Sendable () -> Void)? {
        get { locked.withLock { $0.bodyCompletionHandler } }
        set { locked.withLock { $0.bodyCompletionHandler = newValue } }
    }

    /// Notes that a task has renamed a file: a later group or ``URLSession/synchronizeFolders()`` writes its
    /// folder to the disk.
    package func noteNamed(_ path: String) {
        noteMoved()
        session.files.note(named: path)
    }

    /// Notes that the delegate has renamed the finished file.
    func noteMoved() {
        locked.withLock { $0.finishedFile }?.noteMoved()
    }
}

extension URLSessionConfiguration {
    /// The time at which a task writes a finished download to the disk, so that the file survives a power
    /// failure.
    public enum FileSynchronization: String, Codable, Sendable, Hashable, CaseIterable {
        /// Each file alone, one after another.
        case each
        /// Before the report of the task's end, in a group with other downloads that are complete at that
        /// moment. No file waits for an incomplete one.
        case group
        /// When the kernel decides. After a power failure the file may be truncated or empty, under the
        /// name that the program gave it. A background session takes it for `group`.
        case none
    }
}
