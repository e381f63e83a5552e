import Glibc
import Synchronization
import SystemPackage

/// Part files that are locked before their downloads begin to write to them.
///
/// Whoever chooses among names learns here whether somebody else, in this process or another,
/// writes to a name's part already, and keeps the others out from that moment on. The download that
/// is then told to write there takes the claim over with the lock.
package enum PartClaims {
    private struct Claim {
        let file: FileDescriptor
        let isLeftover: Bool
    }

    private static let held = Mutex<[ExactText: Claim]>([:])

    /// Makes a part file, or opens the one that is there, and locks it; nothing in it is changed.
    ///
    /// - Parameters:
    ///   - path: that of the URL which the download is going to be told.
    ///   - permissions: those it is made with.
    /// - Returns: `false` where somebody is writing to it.
    /// - Throws: `cannotCreateFile` where it cannot be written for another reason.
    package static func claim(_ path: String, permissions: UInt16) throws(URLError) -> Bool {
        let permissions = FilePermissions(rawValue: CModeT(permissions))
        do throws(URLError) {
            let opened = try PartFile.makeOrOpen(path, permissions)
            let claim = Claim(file: opened.file, isLeftover: opened.isLeftover)
            // No other is there: it would have the lock.
            held.withLock { $0[ExactText(path)] = claim }
            return true
        } catch {
            guard PartFile.isBusy(error) else { throw error }
            return false
        }
    }

    /// Lets a claim go that no download has taken over; a file that was made for it goes too.
    package static func giveUp(_ path: String) {
        guard let claim = held.withLock({ $0.removeValue(forKey: ExactText(path)) }) else { return }
        if !claim.isLeftover, PartFile.isSame(path, claim.file) { unlink(path) }
        try? claim.file.close()
    }

    /// Hands a claim over to a download.
    static func take(_ path: String) -> (file: FileDescriptor, isLeftover: Bool)? {
        held.withLock { $0.removeValue(forKey: ExactText(path)) }.map { ($0.file, $0.isLeftover) }
    }
}
