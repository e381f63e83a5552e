import Glibc
import Synchronization
import SystemPackage

/// Locks on part files whose downloads have not begun to write.
///
/// A caller that chooses among file names learns here whether another download, in this process or
/// another, already writes to a part file. The lock then excludes other downloads, until the caller's
/// download takes it over.
package enum PartFileLocks {
    private static let locked = Mutex<[ExactText: PartFile.Opened]>([:])

    /// Creates a part file, or opens the existing one, and locks it without changing it.
    ///
    /// - Returns: whether the file is new; `nil` where another download is writing to it.
    /// - Throws: `cannotCreateFile` if the file is not writable for another reason.
    package static func lock(_ path: String, permissions: UInt16) throws(URLError) -> Bool? {
        let permissions = FilePermissions(rawValue: CModeT(permissions))
        do throws(URLError) {
            let part = try PartFile.makeOrOpen(path, permissions)
            // No other entry exists for this path: it would have the lock.
            locked.withLock { $0[ExactText(path)] = part }
            return !part.isExistingPart
        } catch {
            guard PartFile.isBusy(error) else { throw error }
            return nil
        }
    }

    /// Whether a download that has not got its lock here is writing to a part file.
    package static func isLockedElsewhere(_ path: String) -> Bool {
        guard locked.withLock({ $0[ExactText(path)] == nil }) else { return false }
        do throws(URLError) {
            if let opened = try PartFile.openLocked(path) { try? opened.file.close() }
            return false
        } catch {
            return PartFile.isBusy(error)
        }
    }

    /// Releases a lock that no download took over, and removes the file if we created it for the lock.
    package static func releaseLock(_ path: String) {
        guard let part = locked.withLock({ $0.removeValue(forKey: ExactText(path)) }) else {
            return
        }
        if !part.isExistingPart, PartFile.isSame(path, part.file) { unlink(path) }
        try? part.file.close()
    }

    /// Hands a lock over to a download.
    static func takeOver(_ path: String) -> PartFile.Opened? {
        locked.withLock { $0.removeValue(forKey: ExactText(path)) }
    }
}
