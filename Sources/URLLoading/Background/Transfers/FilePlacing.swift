import Glibc
import SystemPackage

/// Moves what a task has received to where it belongs; as often as a crash makes that necessary.
enum FilePlacing {
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

    /// Moves a file, unless it was moved already.
    ///
    /// May wait for the disk.
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
        FolderSync.synchronize(folderOf: target)
        return .placed(placed)
    }

    /// The first number whose name nobody has, as it is now.
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
