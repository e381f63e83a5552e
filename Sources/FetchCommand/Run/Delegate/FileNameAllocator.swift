import Synchronization
import URLLoading

/// Allocates file names for this run's downloads, so that no two write to the same part file.
///
/// The lock of a part file excludes other processes. Between two attempts of a download the part is
/// not locked, so this object reserves the name in the process.
final class FileNameAllocator: Sendable {
    private struct State {
        var taken: Set<ExactText> = []
        /// The next number to try for a name; all lower ones were taken.
        var next: [ExactText: Int] = [:]
        /// Waiters to signal when a name is released.
        var waiting: [ExactText: [Waiter]] = [:]

        mutating func remember(_ number: Int, of file: FileDestination) {
            guard number >= FileNameAllocator.lowestStoredNumber else { return }
            if next.count >= FileNameAllocator.maximumStoredNames { next.removeAll() }
            next[ExactText(file.path)] = number
        }

        func firstNumber(of file: FileDestination) -> Int {
            next.isEmpty ? 0 : next[ExactText(file.path)] ?? 0
        }
    }

    /// The lowest number that is stored; below it, testing all names is as fast.
    private static let lowestStoredNumber = 8
    /// The maximum number of names with a stored number; a list may have any number.
    private static let maximumStoredNames = 1_024

    private let state = Mutex(State())
    private let checkedFolders = CheckedFolders()

    /// Chooses the first free name or numbered name, and locks its part file.
    ///
    /// An unlocked part file is reused. A locked one belongs to another job's file. With 10,000
    /// files of one name, the next choice is as fast as the first.
    ///
    /// A path is checked before anything is created there; `check` returns whether it may be used.
    /// `needsPart`: whether to lock the part file even if there is none yet. Throws errors of `check`, and
    /// `cannotCreateFile`.
    func choose(
        for file: FileDestination,
        _ run: TaskRun? = nil,
        needsPart: Bool = true,
        check: (String) throws(URLError) -> Bool
    ) throws(URLError) -> String {
        let reserved = run?.get(\.naming.reserved)
        let lock = { (path: String) throws(URLError) -> Bool in
            try FileDestination.checkLength(path)
            let part = FileDestination.partLocation(of: path)
            if !needsPart, !FileDestination.exists(part) {
                run?.change { ($0.naming.part, $0.naming.isUnnamed) = (part, true) }
                return true
            }
            guard let isMade = try PartFileLocks.lock(part, permissions: 0o666) else {
                return false
            }
            run?.change { ($0.naming.part, $0.naming.hasMadePart) = (part, isMade) }
            return true
        }
        return try state.withLock { state throws(URLError) in
            // The name was free when it was reserved. A file that appeared since then remains: the complete
            // part gets the next free number.
            if let reserved, try check(reserved), try lock(reserved) { return reserved }
            var number = state.firstNumber(of: file)
            while true {
                let path = file.path(numbered: number)
                if !state.taken.contains(ExactText(path)), !FileDestination.exists(path),
                    try check(path)
                {
                    if try lock(path) {
                        state.taken.insert(ExactText(path))
                        state.remember(number + 1, of: file)
                        return path
                    }
                    // With --continue, no other file is begun.
                    if file.continues, !FileDestination.exists(path) {
                        throw PartFile.busy(FileDestination.partLocation(of: path))
                    }
                }
                number += 1
            }
        }
    }

    /// Reserves the first free name for a task, so that equal names are numbered in order.
    func reserve(_ run: TaskRun, besides streams: StreamFiles) {
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
                    if !FileDestination.exists(path), !streams.claims(path) {
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

    /// Checks that a file can be created, each folder only once; throws `cannotCreateFile`.
    func checkFolder(of file: FileDestination) throws(URLError) {
        try file.checkOld()
        if !checkedFolders.contains(file.folder), try file.checkPlace() { try checkWay(of: file) }
    }

    /// Creates a file's folder if the command line allows it, and checks the path to it; throws
    /// `cannotCreateFile`.
    ///
    /// A checked path that no other user can replace is not checked again. `isAgain`: the creation
    /// of a file in a known folder has failed.
    func makeFolder(of file: FileDestination, isAgain: Bool = false) throws(URLError) {
        let isChecked = checkedFolders.contains(file.folder)
        // For a numbered name, the caller detects a missing folder.
        if isAgain || file.ifExists != .number || !isChecked { try file.makeFolder() }
        try checkWay(of: file)
    }

    private func checkWay(of file: FileDestination) throws(URLError) {
        try mapError(
            checkedFolders.check(file.folder, foldersOfURL: file.foldersOfURL),
            URLError.cannotCreate
        )
    }

    /// Reserves a fixed name; `false` if another task has it, whose release signals the waiter.
    func take(_ path: String, orRing waiter: Waiter? = nil) -> Bool {
        state.withLock { state in
            let isFree = state.taken.insert(ExactText(path)).inserted
            if !isFree, let waiter { state.waiting[ExactText(path), default: []].append(waiter) }
            return isFree
        }
    }

    func release(_ run: TaskRun) {
        let naming = run.get(\.naming)
        if let reserved = naming.reserved, naming.chosen?.hasBytes(of: reserved) != true {
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
            PartFileLocks.releaseLock(naming.part ?? FileDestination.partLocation(of: path))
        }
        for waiter in waiting { waiter.ring() }
    }
}
