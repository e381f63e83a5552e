import Synchronization
import URLLoading

/// The names that this run's downloads have got and still need: no two of them write to one part.
///
/// Other processes are kept away by the part's lock, which is taken with the name. Between two tries
/// of a download nothing is locked, so within the process the name itself is remembered.
final class NameBook: Sendable {
    private struct State {
        var taken: Set<String> = []
        /// Where to look for the next number of a name; what is below it was taken once.
        var next: [String: Int] = [:]
        /// Folders that have been looked at.
        var folders: Set<String> = []
        /// Folders in which files have got their names, each by a path of one of these files.
        var changed: [String: String] = [:]
        /// Who is to be rung once a name is free.
        var waiting: [String: [Waiter]] = [:]

        mutating func remember(_ number: Int, of path: String) {
            guard number >= NameBook.leastMemory else { return }
            if next.count >= NameBook.mostMemory { next.removeAll() }
            next[path] = number
        }
    }

    /// From this number on it is worth remembering: to look at fewer names is as fast.
    private static let leastMemory = 8
    /// Names with many numbers that are remembered; a list may have any number of them.
    private static let mostMemory = 1_024

    private let state = Mutex(State())

    /// Chooses the first name, or number of it, that nobody has, and locks its part.
    ///
    /// A part that is left over is taken; one that somebody is writing to belongs to a file that is
    /// about to be. With 10,000 files of one name the next one costs as much as the first.
    ///
    /// - Parameters:
    ///   - file: the file to be, in a folder that is there.
    ///   - run: the task's, which may have a name reserved.
    ///   - check: sees that a path may be used, before anything is made there.
    /// - Returns: the path.
    /// - Throws: what `check` does, and `cannotCreateFile`.
    func choose(
        for file: FileDestination,
        _ run: TaskRun? = nil,
        check: (String) throws(URLError) -> Void
    ) throws(URLError) -> String {
        let reserved = run?.current.reservedPath
        return try state.withLock { state throws(URLError) in
            if let reserved, !FileDestination.exists(reserved) {
                try check(reserved)
                if try Self.claim(reserved) { return reserved }
            }
            var number = state.next[file.path] ?? 0
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(path), !FileDestination.exists(path) {
                    try check(path)
                    if try Self.claim(path) {
                        state.taken.insert(path)
                        state.remember(number + 1, of: file.path)
                        return path
                    }
                }
                number += 1
            }
        }
    }

    /// Keeps the first free name, or number of it, for a task: equal names are numbered in the order
    /// in which tasks begin, whichever is answered first.
    func reserve(_ run: TaskRun) {
        guard let file = run.plan.kind.file, !file.isNamedByServer, !file.continues,
            file.ifExists != .keep, !file.isTimestamped
        else { return }
        let path: String? = state.withLock { state in
            guard file.ifExists == .number else {
                return state.taken.insert(file.path).inserted ? file.path : nil
            }
            var number = state.next[file.path] ?? 0
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(path), !FileDestination.exists(path) {
                    state.taken.insert(path)
                    state.remember(number + 1, of: file.path)
                    return path
                }
                number += 1
            }
        }
        if let path { run.note(reservedPath: path) }
    }

    /// Sees that a file can be made where it is to be, before anything is sent.
    ///
    /// A folder is looked at once: what becomes of it later is seen when a file is made there.
    ///
    /// - Throws: `cannotCreateFile`.
    func checkFolder(of file: FileDestination) throws(URLError) {
        let isPlain = file.ifExists == .number && !file.continues
        if isPlain, state.withLock({ $0.folders.contains(file.folder) }) { return }
        try file.checkFolder()
        if isPlain { state.withLock { _ = $0.folders.insert(file.folder) } }
    }

    /// Takes a name that is the only one that will do.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String) -> Bool {
        state.withLock { $0.taken.insert(path).inserted }
    }

    /// Takes a name that is the only one that will do, or has a bell rung when its time has come to
    /// try again.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String, orRing waiter: Waiter) -> Bool {
        state.withLock { state in
            let isFree = state.taken.insert(path).inserted
            if !isFree { state.waiting[path, default: []].append(waiter) }
            return isFree
        }
    }

    /// Notes that a file has its final name.
    func note(saved path: String) {
        let folder = FolderTrust.folder(of: path)
        state.withLock { $0.changed[folder] = path }
    }

    /// Brings the names of all files to the disk, when the run is over.
    ///
    /// May wait for the disk: once for each folder, and not for each file.
    func synchronizeFolders() {
        for path in state.withLock({ Array($0.changed.values) }) {
            FolderSync.synchronize(folderOf: path)
        }
    }

    /// Gives back what a task has had, when it is over.
    func release(_ run: TaskRun) {
        let current = run.current
        if let reserved = current.reservedPath, reserved != current.chosenPath {
            state.withLock { _ = $0.taken.remove(reserved) }
        }
        guard let path = current.chosenPath ?? current.heldName else { return }
        let (wasTaken, waiting) = state.withLock { state in
            (state.taken.remove(path) != nil, state.waiting.removeValue(forKey: path) ?? [])
        }
        if wasTaken { PartClaims.giveUp(FileDestination.partLocation(of: path)) }
        for waiter in waiting { waiter.ring() }
    }

    /// Locks the part of a path, and looks once more whether the path is free: who had the part
    /// before may just have made the file of it.
    private static func claim(_ path: String) throws(URLError) -> Bool {
        let part = FileDestination.partLocation(of: path)
        guard try PartClaims.claim(part, permissions: 0o666) else { return false }
        guard FileDestination.exists(path) else { return true }
        PartClaims.giveUp(part)
        return false
    }
}
