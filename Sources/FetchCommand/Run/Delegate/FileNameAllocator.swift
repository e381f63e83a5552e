import Synchronization
import URLLoading

/// The file names of this run's downloads: no two of them write to one part.
///
/// The part's lock excludes other processes. Between two tries of a download nothing is locked, so
/// the process remembers the name itself.
final class FileNameAllocator: Sendable {
    private struct State {
        var taken: Set<ExactText> = []
        /// The next number to try for a name; lower ones were taken.
        var next: [ExactText: Int] = [:]
        /// Folders that were checked.
        var folders: Set<ExactText> = []
        /// The bells to ring once a name is free.
        var waiting: [ExactText: [Waiter]] = [:]

        mutating func remember(_ number: Int, of file: FileDestination) {
            guard number >= FileNameAllocator.leastMemory else { return }
            if next.count >= FileNameAllocator.mostMemory { next.removeAll() }
            next[ExactText(file.path)] = number
        }

        func firstNumber(of file: FileDestination) -> Int {
            next.isEmpty ? 0 : next[ExactText(file.path)] ?? 0
        }
    }

    /// The least number that is remembered; checking fewer names is as fast.
    private static let leastMemory = 8
    /// The most names whose number is remembered; a list may have any number of them.
    private static let mostMemory = 1_024

    private let state = Mutex(State())

    /// Chooses the first name, or number of it, that is free, and locks its part.
    ///
    /// An unlocked part is taken over. A locked one belongs to another job's file. With 10,000
    /// files of one name, the next one costs as much as the first.
    ///
    /// - Parameters:
    ///   - file: the file to be, in a folder that is there.
    ///   - run: the task's, which may have a name reserved.
    ///   - check: checks that a path may be used, before anything is created there.
    /// - Returns: the path.
    /// - Throws: what `check` does, and `cannotCreateFile`.
    func choose(
        for file: FileDestination,
        _ run: TaskRun? = nil,
        check: (String) throws(URLError) -> Void
    ) throws(URLError) -> String {
        let reserved = run?.get(\.naming.reserved)
        let lock = { (path: String) throws(URLError) -> Bool in
            guard let part = try Self.lockPart(of: path) else { return false }
            run?.change { $0.naming.part = part }
            return true
        }
        return try state.withLock { state throws(URLError) in
            // The name was free when it was reserved, and is checked again once the part is locked.
            if let reserved {
                try check(reserved)
                if try lock(reserved) { return reserved }
            }
            var number = state.firstNumber(of: file)
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(ExactText(path)), !FileDestination.exists(path) {
                    try check(path)
                    if try lock(path) {
                        state.taken.insert(ExactText(path))
                        state.remember(number + 1, of: file)
                        return path
                    }
                }
                number += 1
            }
        }
    }

    /// Reserves the first free name, or number of it, for a task.
    ///
    /// So equal names are numbered in the order of the tasks, whichever response comes first.
    func reserve(_ run: TaskRun) {
        guard let file = run.plan.kind.file, !file.isNamedByServer, !file.continues,
            file.ifExists != .keep, !file.isTimestamped
        else { return }
        let path: String? = state.withLock { state in
            guard file.ifExists == .number else {
                return state.taken.insert(ExactText(file.path)).inserted ? file.path : nil
            }
            var number = state.firstNumber(of: file)
            while true {
                let path = file.path(numbered: number)
                if state.taken.insert(ExactText(path)).inserted {
                    if !FileDestination.exists(path) {
                        state.remember(number + 1, of: file)
                        return path
                    }
                    state.taken.remove(ExactText(path))
                }
                number += 1
            }
        }
        if let path { run.change { $0.naming.reserved = path } }
    }

    /// Checks that a file can be created, before anything is sent.
    ///
    /// A folder is checked once; later changes are found when a file is created there.
    ///
    /// - Throws: `cannotCreateFile`.
    func checkFolder(of file: FileDestination) throws(URLError) {
        try file.checkOld()
        if !isKnown(file.folder), try file.checkPlace() { note(known: file.folder) }
    }

    /// Creates a file's folder if the command line allows it, and checks the path to a new folder.
    ///
    /// - Parameters:
    ///   - file: the file to be.
    ///   - isAgain: whether creating a file in an existing folder has failed.
    /// - Throws: `cannotCreateFile`.
    func makeFolder(of file: FileDestination, isAgain: Bool = false) throws(URLError) {
        guard file.makesFolder else { return }
        // For a numbered name, the part is created next, which shows whether the folder still
        // exists.
        if !isAgain, file.ifExists == .number, isKnown(file.folder) { return }
        try file.makeFolder()
        guard !isKnown(file.folder) else { return }
        try file.checkWay()
        note(known: file.folder)
    }

    private func isKnown(_ folder: String) -> Bool {
        state.withLock { $0.folders.contains(ExactText(folder)) }
    }

    private func note(known folder: String) {
        state.withLock { _ = $0.folders.insert(ExactText(folder)) }
    }

    /// Takes a fixed name.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String) -> Bool {
        state.withLock { $0.taken.insert(ExactText(path)).inserted }
    }

    /// Takes a fixed name, or registers a waiter to ring when it is released.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String, orRing waiter: Waiter) -> Bool {
        state.withLock { state in
            let isFree = state.taken.insert(ExactText(path)).inserted
            if !isFree { state.waiting[ExactText(path), default: []].append(waiter) }
            return isFree
        }
    }

    /// Releases a task's names when it is over.
    func release(_ run: TaskRun) {
        let naming = run.get(\.naming)
        if let reserved = naming.reserved, reserved != naming.chosen {
            state.withLock { _ = $0.taken.remove(ExactText(reserved)) }
        }
        guard let path = naming.chosen ?? naming.locked else { return }
        let (wasTaken, waiting) = state.withLock { state in
            (
                state.taken.remove(ExactText(path)) != nil,
                state.waiting.isEmpty
                    ? [] : state.waiting.removeValue(forKey: ExactText(path)) ?? []
            )
        }
        if wasTaken {
            PartFileLocks.giveUp(naming.part ?? FileDestination.partLocation(of: path))
        }
        for waiter in waiting { waiter.ring() }
    }

    /// Locks the part of a path, and checks again that the path is free: the previous owner of the
    /// part may just have renamed it.
    ///
    /// - Returns: the part, from the root; `nil` where the path is not free.
    private static func lockPart(of path: String) throws(URLError) -> String? {
        let part = FileDestination.partLocation(of: path)
        guard try PartFileLocks.lock(part, permissions: 0o666) else { return nil }
        guard FileDestination.exists(path) else { return part }
        PartFileLocks.giveUp(part)
        return nil
    }
}
