import CLinux
import Glibc
import Synchronization
import SystemPackage

/// Moves received files to their targets; a move may be repeated after a crash.
final class FilePlacing: Sendable {
    private static let numberLimit = 10_000

    private let queue = SerialQueue("BackgroundServer.placing")
    /// The last number after each name, so that tasks with one name need not try the same numbers.
    private let lastNumbers = Mutex<[ExactText: Int]>([:])

    /// Moves files that are in the journal, and flushes their folders to the disk, each once.
    func place(
        _ moves: [(task: Int, placement: BackgroundPlacement)],
        completionHandler: @escaping @Sendable ([BackgroundInput]) -> Void
    ) {
        queue.async { [self] in
            var folders: [ExactText: String] = [:]
            let inputs = moves.map { task, placement in
                let input = Self.place(placement, of: task)
                if case .displaced = input {
                    return BackgroundInput.displaced(task: task, number: nextNumber(placement))
                }
                if case .placed = input {
                    let path = placement.target
                    folders[ExactText(FolderTrust.folder(of: path))] = path
                }
                return input
            }
            for path in folders.values { FolderSync.synchronize(folderOf: path) }
            completionHandler(inputs)
        }
    }

    /// The number after a taken name; numbers of other taken names are skipped.
    private func nextNumber(_ placement: BackgroundPlacement) -> Int {
        let name = ExactText(placement.unnumberedTarget)
        let last = max(placement.number, lastNumbers.withLock { $0[name] ?? 0 })
        let number = Self.freeNumber(of: name.text, after: last)
        lastNumbers.withLock { numbers in
            // Without its last number, a name is looked up again.
            if numbers[name] == nil, numbers.count >= Self.numberLimit { numbers = [:] }
            numbers[name] = number
        }
        return number
    }

    /// Moves a file, unless it was moved already; its folder is not flushed to the disk.
    ///
    /// `displaced`: the target's name is taken. `blocked`: the file is still at its place. `failed`: it is in
    /// neither place, or cannot be opened.
    static func place(_ placement: BackgroundPlacement, of task: Int) -> BackgroundInput {
        let (file, target) = (placement.file, placement.target)
        // A power cut may have undone the rename of the received file.
        var found: (path: String, file: FileDescriptor)?
        for path in [file.path] + TransferFiles.namesBefore(file.path) where found == nil {
            found = open(file, at: path).map { (path, $0) }
        }
        guard let (path, opened) = found else {
            if file.isFound(at: target) { return .placed(task: task) }
            let words = "\(file.path) no longer exists, and was not moved to \(target)"
            return .failed(task: task, StoredError(URLError(.cannotMoveFile, detail: words)), nil)
        }
        defer { try? opened.close() }
        // rename(2) does nothing if both are names of one file.
        if placement.replaces, wasMoved(file, from: path, to: target) { return .placed(task: task) }
        do throws(URLError) {
            let finished = FinishedFile(path: path, file: opened)
            let isMoved = try finished.move(to: target, replaces: placement.replaces)
            let isAtTarget = isMoved || wasMoved(file, from: path, to: target)
            return isAtTarget ? .placed(task: task) : .displaced(task: task)
        } catch {
            let error = StoredError(error)
            // A complete body stays, and is moved when the task is resumed.
            return file.isFound(at: path)
                ? .blocked(task: task, error) : .failed(task: task, error, nil)
        }
    }

    /// Opens a file; `nil` if the path does not name it.
    private static func open(_ file: BackgroundFile, at path: String) -> FileDescriptor? {
        // The mode may forbid the owner to read.
        let number = linux_open_path(path, O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let opened = FileDescriptor(rawValue: number)
        if let found = FileStatus(descriptor: number)?.identity, found.device == file.device,
            found.inode == file.inode
        {
            return opened
        }
        try? opened.close()
        return nil
    }

    /// Whether an earlier move has made the second name; then the first one is removed.
    private static func wasMoved(
        _ file: BackgroundFile,
        from path: String,
        to target: String
    ) -> Bool {
        guard file.isFound(at: target) else { return false }
        unlink(path)
        return true
    }

    /// The first number after `number` whose name is free now.
    static func freeNumber(of name: String, after number: Int) -> Int {
        var free = number + 1
        while free < BackgroundPlacement.lastNumber, isTaken("\(name).\(free)") { free += 1 }
        return free
    }

    /// Whether a path exists, even as a link without a target.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
