import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// Writes whole files to the disk before their tasks' ends are reported: those of one moment together.
///
/// A disk takes about as long for sixteen files at a time as for one. Their blocks share one commit
/// of the file system's journal and one flush of the disk's cache. So a worker takes all files that
/// are there when it comes round. It has each brought to the disk by an fsync(2) of its own, and
/// waits for none that could still come. An error concerns one file alone.
///
/// A group brings the folders along in which the files of the groups before it have got their names,
/// which costs nothing beside them.
final class FileSynchronizer: Sendable {
    private struct Entry {
        let download: Download
        let then: @Sendable (URLError?) -> Void
    }

    private struct State {
        /// Files, in the order of their ends.
        var waiting: [Entry] = []
        /// Folders in which files have got names, each by the path of one of these files.
        var folders: [ExactText: String] = [:]
        var isWorking = false
        /// The file system of the last file.
        var fileSystem: (device: dev_t, hasDisk: Bool)?
        /// What works beside the worker, as many as were needed so far.
        var helpers: [DispatchQueue] = []
    }

    /// How many calls of fsync(2) wait at once: more bring little, and each has a thread.
    private static let width = 16
    /// A call that takes less has not waited for a disk: the file is in memory, or the disk has it.
    private static let shortestWait: Duration = .microseconds(100)

    private let mode: URLSessionConfiguration.FileSynchronization
    private let state = Mutex(State())
    private let worker = SerialQueue("URLLoading.FileSynchronizer")
    /// Whether a call of the last group has waited for a disk.
    private let hasWaited = Atomic(true)

    init(_ mode: URLSessionConfiguration.FileSynchronization) {
        self.mode = mode
    }

    /// Whether a job may continue with another task while the file is written to the disk.
    var isGrouped: Bool { mode == .group }

    /// Whether files are brought to the disk at all.
    private var isNeeded: Bool { mode != .none }

    /// Whether a whole file has to be brought to the disk; a file in memory has none.
    func isNeeded(for download: Download) -> Bool {
        guard isNeeded else { return false }
        let file = download.file
        return state.withLock { state in
            let device = file.status.st_dev
            if let last = state.fileSystem, last.device == device { return last.hasDisk }
            let hasDisk = !file.isInMemory
            state.fileSystem = (device, hasDisk)
            return hasDisk
        }
    }

    /// Writes a whole file to the disk, and reports that after the files that were added before.
    ///
    /// - Parameters:
    ///   - download: the file's, of which no more comes.
    ///   - then: receives the reason why that could not be done, or `nil`, on the worker's thread,
    ///     which may wait; once.
    func add(_ download: Download, then: @escaping @Sendable (URLError?) -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(Entry(download: download, then: then))
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if starts { worker.async { [self] in work() } }
    }

    /// Notes that a file has got its name: its folder goes to the disk with the next group.
    ///
    /// - Parameter path: the file's.
    func note(named path: String) {
        guard isNeeded else { return }
        let folder = ExactText(FolderTrust.folder(of: path))
        state.withLock { $0.folders[folder] = path }
    }

    /// Brings the folders to the disk in which files have got names since the last group.
    ///
    /// Waits for the disk.
    func synchronizeFolders() {
        for path in takeFolders() { FolderSync.synchronize(folderOf: path) }
    }

    private func takeFolders() -> [String] {
        state.withLock { state in
            defer { state.folders = [:] }
            return Array(state.folders.values)
        }
    }

    private func work() {
        while let group = next() {
            // Beside a single file a folder would take as long again: the next group has it, or the end.
            let folders = group.count > 1 ? takeFolders() : []
            let failures = Mutex([Int: URLError]())
            inParallel(group.count + folders.count) { number in
                guard number < group.count else {
                    FolderSync.synchronize(folderOf: folders[number - group.count])
                    return
                }
                do throws(URLError) {
                    let download = group[number].download
                    download.settle()
                    download.file.removeAttribute()
                    try FinishedFile(download.file).synchronize()
                } catch {
                    failures.withLock { $0[number] = error }
                }
            }
            for (number, entry) in group.enumerated() {
                entry.then(failures.withLock { $0[number] })
            }
        }
    }

    /// The next files; `nil` where there are none, and the worker's work is done.
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

    /// Does so many things, several at once, and waits for all.
    ///
    /// Where none of the last group has waited, these are done one after another until one does: to wake a
    /// thread for each would cost more than they do.
    private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let taken = Counter()
        let waited = Flag()
        let takeOne: @Sendable () -> Bool = {
            guard let number = taken.next(below: count) else { return false }
            let start = ContinuousClock.now
            body(number)
            if ContinuousClock.now - start >= Self.shortestWait { waited.raise() }
            return true
        }
        defer { hasWaited.store(waited.isRaised, ordering: .relaxed) }
        if !hasWaited.load(ordering: .relaxed) {
            while !waited.isRaised { guard takeOne() else { return } }
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

    /// Raised by any of several threads.
    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isRaised: Bool { value.load(ordering: .relaxed) }

        func raise() { value.store(true, ordering: .relaxed) }
    }

    /// Gives numbers from 0 to several threads, each once.
    private final class Counter: Sendable {
        private let value = Atomic(0)

        func next(below limit: Int) -> Int? {
            let number = value.add(1, ordering: .relaxed).oldValue
            return number < limit ? number : nil
        }
    }
}

extension URLSessionTask {
    /// Has this called once a download is whole and is brought to the disk together with others, before its
    /// end is told; not where that is done at once.
    package var bodyCompletionHandler: (@Sendable () -> Void)? {
        get { locked.withLock { $0.bodyCompletionHandler } }
        set { locked.withLock { $0.bodyCompletionHandler = newValue } }
    }

    /// Notes that a file has got its name: its folder is brought to the disk with a later file, or by
    /// ``URLSession/synchronizeFolders()``.
    package func noteNamed(_ path: String) {
        locked.withLock { $0.finishedFile }?.noteMoved()
        session.files.note(named: path)
    }
}

extension URLSessionConfiguration {
    /// When the file of a finished download is brought to the disk, so that it is whole also after the
    /// machine has lost its power.
    public enum FileSynchronization: String, Codable, Sendable, Hashable, CaseIterable {
        /// Each file alone, one after another.
        case each
        /// Before its task's end is reported, together with the files of other downloads that are whole just
        /// then. None waits for one that is not.
        case group
        /// When the system finds time for it. After the loss of power a file may be shorter than it was,
        /// or empty, under the name that the program has given it.
        case none
    }
}
