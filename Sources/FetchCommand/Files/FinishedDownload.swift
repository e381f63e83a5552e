import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A part file that is whole, on its way to its final name.
struct FinishedDownload {
    let part: String
    /// When what it was made of was last changed, seconds since 1970.
    let modified: Int64?
    /// What is kept with the file to ask by, next time.
    var validator: StoredValidator?

    /// Brings the bytes to the disk, gives the file the server's time, and renames it: whoever sees
    /// the final name sees a whole file.
    ///
    /// - Parameters:
    ///   - path: the name that was free when the download began.
    ///   - destination: what to do where it is taken now.
    /// - Returns: the name it got; `nil` where another file has taken the name, which stays: then
    ///   the part is gone.
    /// - Throws: `cannotMoveFile`, or `cannotWriteToFile` where the disk refuses at the last moment.
    func move(to path: String, _ destination: FileDestination) throws(URLError) -> String? {
        try settle(replacing: destination.ifExists == .replace ? path : nil)
        switch destination.ifExists {
        case .replace:
            guard rename(part, path) == 0 else { throw refused(path) }
            return path
        case .number:
            var candidate = path
            var number = destination.number(of: path)
            // Somebody took the name meanwhile: the next one.
            while try !renameWithoutReplacing(candidate) {
                number += 1
                candidate = destination.path(numbered: number)
            }
            return candidate
        case .keep:
            if try renameWithoutReplacing(path) { return path }
            unlink(part)
            ResumeFile(of: part).remove()
            return nil
        }
    }

    /// Gives the part a name that nobody has.
    ///
    /// - Returns: `false` where somebody has it.
    /// - Throws: `cannotMoveFile`, also where the file system cannot do that in one step: then it is
    ///   not done in two, between which a file could come that would be lost.
    private func renameWithoutReplacing(_ path: String) throws(URLError) -> Bool {
        if linux_rename_noreplace(AT_FDCWD, part, AT_FDCWD, path) == 0 { return true }
        switch errno {
        case EEXIST: return false
        // Some network drives do not know the flag: a second name, and then the first goes.
        case EINVAL, ENOSYS, ENOTSUP:
            if link(part, path) == 0 {
                unlink(part)
                return true
            }
            if errno == EEXIST { return false }
            var error = refused(path)
            error.detail +=
                "; the file system can give no name without perhaps replacing a file that has it"
                + " (-O NAME replaces)"
            throw error
        default: throw refused(path)
        }
    }

    /// Makes the part file what the final one shall be, down to the disk.
    ///
    /// - Parameter old: the file whose place it takes, and whose mode and owner it keeps.
    /// - Throws: `cannotWriteToFile`.
    private func settle(replacing old: String?) throws(URLError) {
        do {
            let file = try FileDescriptor.open(part, .readOnly, options: [.noFollow, .closeOnExec])
            defer { try? file.close() }
            if let modified { linux_set_modification_time(file.rawValue, modified) }
            if let old { Self.takeOver(from: old, file) }
            validator?.write(to: file.rawValue)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(part): \(error)")
        }
    }

    private static func takeOver(from old: String, _ file: FileDescriptor) {
        var status = stat()
        guard stat(old, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        // Only root may give a file away; a group of one's own is another matter.
        let keepsGroup =
            fchown(file.rawValue, status.st_uid, status.st_gid) == 0
            || fchown(file.rawValue, uid_t.max, status.st_gid) == 0
        // Not the bits that lend somebody's rights to whoever runs it: these are other bytes.
        fchmod(file.rawValue, status.st_mode & (keepsGroup ? 0o777 : 0o707))
    }

    private func refused(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(part) to \(path): \(Errno(rawValue: errno))")
    }
}
