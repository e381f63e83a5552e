import Glibc
import Synchronization
import SystemPackage

/// Moves received files to their targets.
///
/// A move may be repeated after a crash.
final class FilePlacing: Sendable {
    /// A move that is in the journal.
    struct Move: Sendable {
        var task: Int
        var placement: BackgroundPlacement
        /// The path to which a number is added if the target's name is taken.
        var name: String
    }

    private let queue = SerialQueue("BackgroundServer.placing")
    /// The last number that was used after each name.
    ///
    /// So several tasks with one name get different numbers at once, and no number is checked twice.
    private let lastNumbers = Mutex<[ExactText: Int]>([:])

    /// Moves files, and flushes their folders to the disk, each once.
    ///
    /// - Parameters:
    ///   - moves: the moves, which are in the journal.
    ///   - completionHandler: takes the results, on a queue of its own.
    func place(
        _ moves: [Move],
        completionHandler: @escaping @Sendable ([BackgroundInput]) -> Void
    ) {
        queue.async { [self] in
            var folders: [ExactText: String] = [:]
            let inputs = moves.map { move in
                let outcome = Self.place(move.placement)
                if case .placed(let file) = outcome {
                    folders[ExactText(FolderTrust.folder(of: file.path))] = file.path
                }
                return input(move, outcome)
            }
            for path in folders.values { FolderSync.synchronize(folderOf: path) }
            completionHandler(inputs)
        }
    }

    private func input(_ move: Move, _ outcome: Outcome) -> BackgroundInput {
        switch outcome {
        case .placed(let file): return .placed(task: move.task, file)
        case .failed(let error): return .failed(task: move.task, error, nil)
        // The body is complete. It stays, and is moved when the task is resumed.
        case .blocked(let error): return .blocked(task: move.task, error)
        case .isTaken:
            // Each attempted name is stored in the journal, so taken names are skipped here.
            let name = ExactText(move.name)
            let last = max(move.placement.number, lastNumbers.withLock { $0[name] ?? 0 })
            let number = Self.freeNumber(of: move.name, after: last)
            lastNumbers.withLock { $0[name] = number }
            return .displaced(task: move.task, number: number)
        }
    }

    /// The result of a move.
    enum Outcome: Hashable, Sendable {
        /// The file is at its target.
        case placed(BackgroundFile)
        /// The target's name is taken: another name is stored and tried.
        case isTaken
        /// The file is still at its place, and cannot be moved for now.
        case blocked(StoredError)
        /// The file is in neither place, or cannot be opened.
        case failed(StoredError)
    }

    /// Moves a file, unless it was moved already; its folder is not flushed to the disk.
    ///
    /// - Parameter placement: the move, which is in the journal.
    /// - Returns: the result.
    static func place(_ placement: BackgroundPlacement) -> Outcome {
        let (file, target) = (placement.file, placement.target)
        var placed = file
        placed.path = target
        // A power cut may have undone the rename of the received file.
        let names = [file.path] + TransferFiles.namesBefore(file.path)
        guard let path = names.first(where: { file.isFound(at: $0) }) else {
            if file.isFound(at: target) { return .placed(placed) }
            return failed("\(file.path) no longer exists, and was not moved to \(target)")
        }
        if file.isFound(at: target) {
            // An earlier move has made the second name, and not removed the first one.
            unlink(path)
            return .placed(placed)
        }
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return failed("\(path): \(Errno(rawValue: errno))") }
        defer { close(number) }
        let finished = FinishedFile(path: path, file: FileDescriptor(rawValue: number))
        do throws(URLError) {
            let isMoved = try finished.move(to: target, replaces: placement.replaces)
            guard isMoved else { return .isTaken }
        } catch {
            let error = StoredError(error)
            return file.isFound(at: path) ? .blocked(error) : .failed(error)
        }
        return .placed(placed)
    }

    /// The first number whose name is free now.
    ///
    /// - Parameters:
    ///   - name: the path before the number.
    ///   - number: the last number that was tried.
    /// - Returns: a higher number.
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

    private static func failed(_ words: String) -> Outcome {
        .failed(StoredError(URLError(.cannotMoveFile, detail: words)))
    }
}
