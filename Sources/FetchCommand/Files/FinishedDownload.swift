import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A part file that is whole, on its way to its final name.
struct FinishedDownload {
    let part: String
    /// The part, open; what is at its path may be another file by now.
    let file: FileDescriptor
    /// When what it was made of was last changed, seconds since 1970.
    let modified: Int64?
    /// What is kept with the file to ask by, next time.
    var validator: StoredValidator?

    /// Brings the bytes to the disk, gives the file the server's time, and renames it: under the final
    /// name there is always a whole file.
    ///
    /// - Parameters:
    ///   - path: the name that was free when the download began.
    ///   - destination: what to do where it is taken now.
    /// - Returns: the name it got; `nil` where another file has taken the name, which stays: then
    ///   the part is gone.
    /// - Throws: `cannotMoveFile`, or `cannotWriteToFile` where the disk refuses at the last moment.
    func move(to path: String, _ destination: FileDestination) throws(URLError) -> String? {
        // May take long: what has the name is looked at after it.
        guard fsync(file.rawValue) == 0 else {
            throw URLError(
                .cannotWriteToFile,
                detail: "\(part): \(Errno(rawValue: errno))"
            )
        }
        var own = stat()
        var old: stat?
        var isShared = false
        if destination.ifExists == .replace {
            isShared = FolderTrust(destination.folder)?.isShared ?? true
            old = try destination.statusOfOld(at: path)
            // Only of the user's own file, which was there at the start.
            if old?.st_uid != geteuid() || destination.old != FilePlace(ofFile: path) { old = nil }
        }
        guard fstat(file.rawValue, &own) == 0, isFile(own, at: part) else { throw replaced(part) }
        try settle(own, replacing: old, isShared: isShared)
        let name = try name(path, destination)
        if let name, !isFile(own, at: name) { throw replaced(name) }
        return name
    }

    /// Whether a path names the part.
    private func isFile(_ own: stat, at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == own.st_dev
            && status.st_ino == own.st_ino
    }

    /// Renames it, where its name is free or may be taken.
    private func name(
        _ path: String,
        _ destination: FileDestination
    ) throws(URLError) -> String? {
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

    /// Makes the part file what the final one shall be.
    ///
    /// - Parameters:
    ///   - own: what the part is now.
    ///   - old: the user's own file whose place it takes, and whose mode and group it keeps.
    ///   - isShared: whether other users can write to the folder.
    /// - Throws: `cannotWriteToFile`.
    private func settle(
        _ own: stat,
        replacing old: stat?,
        isShared: Bool
    ) throws(URLError) {
        do {
            if let modified { linux_set_modification_time(file.rawValue, modified) }
            if let mode = mode(instead: own, replacing: old, isShared: isShared) {
                guard fchmod(file.rawValue, mode) == 0 else { throw Errno(rawValue: errno) }
            }
            validator?.write(to: file.rawValue)
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(part): \(error)")
        }
    }

    /// The mode that the file gets, after the old one's group; `nil`: it has it.
    private func mode(instead own: stat, replacing old: stat?, isShared: Bool) -> mode_t? {
        guard let old else {
            // What takes a file's place is closed to other users until it is known which mode it gets.
            guard own.st_mode & 0o777 == 0o600 else { return nil }
            return mode_t(NewFileMode.current)
        }
        let keepsGroup =
            own.st_gid == old.st_gid || fchown(file.rawValue, uid_t.max, old.st_gid) == 0
        // Not the bits that lend the owner's rights to another user: these are other bytes. Without
        // the group that they were for, its bits go, too.
        let kept = old.st_mode & (keepsGroup ? 0o777 : 0o707)
        return isShared ? kept & ~mode_t(NewFileMode.mask) : kept
    }

    /// Another process has put another file where this one was.
    private func replaced(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(path) is another file than the one that was received")
    }

    private func refused(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(part) to \(path): \(Errno(rawValue: errno))")
    }
}
