import Synchronization
import URLLoading

/// The names that this run's downloads have got and still need: no two of them write to one part.
///
/// Other processes are kept away by the part's lock, which is taken with the name. Between two tries
/// of a download nothing is locked, so within the process the name itself is remembered.
final class FileNameAllocator: Sendable {
    private struct State {
        var taken: Set<ExactText> = []
        /// Where to look for the next number of a name; what is below it was taken once.
        var next: [ExactText: Int] = [:]
        /// Folders that have been looked at.
        var folders: Set<ExactText> = []
        /// The bells to ring once a name is free.
        var waiting: [ExactText: [Waiter]] = [:]

        mutating func remember(_ number: Int, of path: String) {
            guard number >= FileNameAllocator.leastMemory else { return }
            if next.count >= FileNameAllocator.mostMemory { next.removeAll() }
            next[ExactText(path)] = number
        }
    }

    /// From this number on it is worth remembering: to look at fewer names is as fast.
    private static let leastMemory = 8
    /// Names with many numbers that are remembered; a list may have any number of them.
    private static let mostMemory = 1_024

    private let state = Mutex(State())

    /// Chooses the first name, or number of it, that is free, and locks its part.
    ///
    /// A part that is left over is taken; one that another job is writing to belongs to a file that
    /// is about to be. With 10,000 files of one name the next one costs as much as the first.
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
        let reserved = run?.get(\.naming.reserved)
        let claim = { (path: String) throws(URLError) -> Bool in
            guard let part = try Self.claim(path) else { return false }
            run?.change { $0.naming.part = part }
            return true
        }
        return try state.withLock { state throws(URLError) in
            // Nothing had the name when it was reserved, and it is looked at once the part is locked.
            if let reserved {
                try check(reserved)
                if try claim(reserved) { return reserved }
            }
            var number = state.next[ExactText(file.path)] ?? 0
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(ExactText(path)), !FileDestination.exists(path) {
                    try check(path)
                    if try claim(path) {
                        state.taken.insert(ExactText(path))
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
                return state.taken.insert(ExactText(file.path)).inserted ? file.path : nil
            }
            var number = state.next[ExactText(file.path)] ?? 0
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(ExactText(path)), !FileDestination.exists(path) {
                    state.taken.insert(ExactText(path))
                    state.remember(number + 1, of: file.path)
                    return path
                }
                number += 1
            }
        }
        if let path { run.change { $0.naming.reserved = path } }
    }

    /// Sees that a file can be made where it is to be, before anything is sent.
    ///
    /// A folder is looked at once: what becomes of it later is seen when a file is made there.
    ///
    /// - Throws: `cannotCreateFile`.
    func checkFolder(of file: FileDestination) throws(URLError) {
        try file.checkOld()
        if !isKnown(file.folder), try file.checkPlace() { note(known: file.folder) }
    }

    /// Makes a file's folder where that is asked for, and looks at the way to it where it was not
    /// there when the folder was looked at.
    ///
    /// - Parameters:
    ///   - file: the file to be.
    ///   - isAgain: whether nothing could be made in a folder that was there before.
    /// - Throws: `cannotCreateFile`.
    func makeFolder(of file: FileDestination, isAgain: Bool = false) throws(URLError) {
        guard file.makesFolder else { return }
        // Of a name with a number the part is made next, which shows whether the folder is still there.
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

    /// Takes a name that is the only one that will do.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String) -> Bool {
        state.withLock { $0.taken.insert(ExactText(path)).inserted }
    }

    /// Takes a name that is the only one that will do, or has a bell rung when its time has come to
    /// try again.
    ///
    /// - Returns: `false` where another task has it.
    func take(_ path: String, orRing waiter: Waiter) -> Bool {
        state.withLock { state in
            let isFree = state.taken.insert(ExactText(path)).inserted
            if !isFree { state.waiting[ExactText(path), default: []].append(waiter) }
            return isFree
        }
    }

    /// Gives back what a task has had, when it is over.
    func release(_ run: TaskRun) {
        let naming = run.get(\.naming)
        if let reserved = naming.reserved, reserved != naming.chosen {
            state.withLock { _ = $0.taken.remove(ExactText(reserved)) }
        }
        guard let path = naming.chosen ?? naming.locked else { return }
        let (wasTaken, waiting) = state.withLock { state in
            (
                state.taken.remove(ExactText(path)) != nil,
                state.waiting.removeValue(forKey: ExactText(path)) ?? []
            )
        }
        if wasTaken {
            PartFileLocks.giveUp(naming.part ?? FileDestination.partLocation(of: path))
        }
        for waiter in waiting { waiter.ring() }
    }

    /// Locks the part of a path, and looks once more whether the path is free: the job that had the
    /// part before may just have made the file of it.
    ///
    /// - Returns: the part, from the root; `nil` where the path is not free.
    private static func claim(_ path: String) throws(URLError) -> String? {
        let part = FileDestination.partLocation(of: path)
        guard try PartFileLocks.claim(part, permissions: 0o666) else { return nil }
        guard FileDestination.exists(path) else { return part }
        PartFileLocks.giveUp(part)
        return nil
    }
}
