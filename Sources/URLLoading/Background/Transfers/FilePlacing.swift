import Glibc
import Synchronization
import SystemPackage

/// Moves what tasks have received to where it belongs; as often as a crash makes that necessary.
final class FilePlacing: Sendable {
    /// A move that was written down.
    struct Move: Sendable {
        var task: Int
        var placement: BackgroundPlacement
        /// The path that a number comes behind, where something else has it.
        var name: String
    }

    private let queue = SerialQueue("BackgroundServer.placing")
    /// The last number that was given to a task, by the name before it.
    ///
    /// Several tasks that want one name get a number each at once, and no number is looked at
    /// twice.
    private let lastNumbers = Mutex<[ExactText: Int]>([:])

    /// Moves files, and brings their folders to the disk, each once.
    ///
    /// - Parameters:
    ///   - moves: what was written down before.
    ///   - completionHandler: takes what has come of them, on a queue of its own.
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
        // The body is whole: it stays, and is moved when the task is resumed.
        case .blocked(let error): return .blocked(task: move.task, error)
        case .isTaken:
            // Each name that is tried is written down: of many that are taken only the last is.
            let name = ExactText(move.name)
            let last = max(move.placement.number, lastNumbers.withLock { $0[name] ?? 0 })
            let number = Self.freeNumber(of: move.name, after: last)
            lastNumbers.withLock { $0[name] = number }
            return .displaced(task: move.task, number: number)
        }
    }

    /// What has come of a move.
    enum Outcome: Hashable, Sendable {
        /// It is there.
        case placed(BackgroundFile)
        /// Something else is there: another name is to be written down, and tried.
        case isTaken
        /// It is still where it was, and cannot be moved from there for now.
        case blocked(StoredError)
        /// It is in neither place, or cannot be opened.
        case failed(StoredError)
    }

    /// Moves a file, unless it was moved already; its folder is not brought to the disk.
    ///
    /// - Parameter placement: what was written down before.
    /// - Returns: what has come of it.
    static func place(_ placement: BackgroundPlacement) -> Outcome {
        let (file, target) = (placement.file, placement.target)
        var placed = file
        placed.path = target
        guard file.isFound(at: file.path) else {
            if file.isFound(at: target) { return .placed(placed) }
            return failed("\(file.path) is gone, and has not come to \(target)")
        }
        if file.isFound(at: target) {
            // A second name was made, and the first one is left.
            unlink(file.path)
            return .placed(placed)
        }
        let number = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return failed("\(file.path): \(Errno(rawValue: errno))") }
        defer { close(number) }
        let finished = FinishedFile(path: file.path, file: FileDescriptor(rawValue: number))
        do throws(URLError) {
            let isMoved = try finished.move(to: target, replaces: placement.replaces)
            guard isMoved else { return .isTaken }
        } catch {
            let error = StoredError(error)
            return file.isFound(at: file.path) ? .blocked(error) : .failed(error)
        }
        return .placed(placed)
    }

    /// The first number whose name is free, as it is now.
    ///
    /// - Parameters:
    ///   - name: the path that the number comes behind.
    ///   - number: the last that was tried.
    /// - Returns: a number above it.
    static func freeNumber(of name: String, after number: Int) -> Int {
        var free = number + 1
        while free < BackgroundPlacement.lastNumber, isTaken("\(name).\(free)") { free += 1 }
        return free
    }

    /// Whether anything has a name, be it a link to nowhere.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func failed(_ words: String) -> Outcome {
        .failed(StoredError(URLError(.cannotMoveFile, detail: words)))
    }
}
