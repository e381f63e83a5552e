import CLinux
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
        /// It is in neither place, or cannot be moved.
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
        if placement.replaces {
            do throws(ForeignFile) {
                _ = try FolderTrust.check(target)
            } catch {
                return failed("\(error)")
            }
        }
        let isMoved =
            placement.replaces
            ? rename(file.path, target) == 0 : moveWithoutReplacing(file.path, to: target)
        guard isMoved else {
            let reason = Errno(rawValue: errno)
            if reason == .fileExists { return .isTaken }
            return failed("\(file.path) to \(target): \(reason)")
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
        var status = stat()
        var free = number + 1
        while free < BackgroundPlacement.lastNumber, lstat("\(name).\(free)", &status) == 0 {
            free += 1
        }
        return free
    }

    private static func moveWithoutReplacing(_ path: String, to target: String) -> Bool {
        if linux_rename_noreplace(AT_FDCWD, path, AT_FDCWD, target) == 0 { return true }
        // Some network drives do not know the flag: a second name, and then the first goes.
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno), link(path, target) == 0 else {
            return false
        }
        unlink(path)
        return true
    }

    private static func failed(_ words: String) -> Outcome {
        .failed(StoredError(URLError(.cannotMoveFile, detail: words)))
    }
}
