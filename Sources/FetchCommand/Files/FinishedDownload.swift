import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// A part file that is whole, on its way to its final name.
struct FinishedDownload {
    let part: FinishedFile
    /// When what it was made of was last changed, seconds since 1970.
    let modified: Int64?
    /// The validator to store with the file.
    var validator: StoredValidator?

    /// Gives the file, which is on the disk, the server's time, and renames it: under the final name there
    /// is always a whole file.
    ///
    /// - Parameters:
    ///   - path: the name that was free when the download began.
    ///   - destination: what to do where it is taken now.
    /// - Returns: the name it got; `nil` where another file has taken the name, which stays: then
    ///   the part is gone.
    /// - Throws: `cannotMoveFile`, `cannotWriteToFile`.
    func move(to path: String, _ destination: FileDestination) throws(URLError) -> String? {
        var old: stat?
        var isShared = false
        if destination.ifExists == .replace {
            isShared = FolderTrust(destination.folder)?.isShared ?? true
            old = try destination.statusOfOld(at: path)
            // Only of the user's own file, which was there at the start.
            if old?.st_uid != geteuid() || destination.old != FilePlace(ofFile: path) { old = nil }
        }
        let own = try part.status()
        try settle(own, replacing: old, isShared: isShared)
        do throws(URLError) {
            return try name(own, path, destination)
        } catch {
            var error = error
            if FinishedFile.needsReplacing(error) { error.detail += " (-O NAME replaces)" }
            throw error
        }
    }

    /// Renames it, where its name is free or may be taken.
    private func name(
        _ own: stat,
        _ path: String,
        _ destination: FileDestination
    ) throws(URLError) -> String? {
        var candidate = path
        let replaces = destination.ifExists == .replace
        while try !part.move(to: candidate, replaces: replaces, being: own) {
            guard destination.ifExists == .number else {
                unlink(part.path)
                ResumeFile(of: part.path).remove()
                return nil
            }
            // Another file took the name meanwhile: the next one.
            candidate = destination.path(numbered: destination.number(of: candidate) + 1)
        }
        return candidate
    }

    /// Gives the part file the final mode and group.
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
            if let modified { linux_set_modification_time(part.file.rawValue, modified) }
            if let mode = mode(instead: own, replacing: old, isShared: isShared) {
                guard fchmod(part.file.rawValue, mode) == 0 else { throw Errno(rawValue: errno) }
            }
            validator?.write(to: part.file.rawValue)
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(part.path): \(error)")
        }
    }

    /// The mode that the file gets, after the old one's group; `nil`: it has it.
    private func mode(instead own: stat, replacing old: stat?, isShared: Bool) -> mode_t? {
        guard let old else {
            // A replacement is closed to other users until its mode is known.
            guard own.st_mode & 0o777 == 0o600 else { return nil }
            return mode_t(NewFileMode.current)
        }
        let keepsGroup =
            own.st_gid == old.st_gid || fchown(part.file.rawValue, uid_t.max, old.st_gid) == 0
        // Not the bits that lend the owner's rights to another user: these are other bytes. Without
        // the group that they were for, its bits go, too.
        let kept = old.st_mode & (keepsGroup ? 0o777 : 0o707)
        return isShared ? kept & ~mode_t(NewFileMode.mask) : kept
    }
}

extension FileDestination {
    /// Makes the file of these bytes, whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - streams: what must not be touched.
    /// - Returns: the path it got; `nil` where a file that came meanwhile stays.
    /// - Throws: `cannotCreateFile`, `cannotWriteToFile` or `cannotMoveFile`.
    func write(_ bytes: Data, besides streams: StreamFiles) throws(URLError) -> String? {
        try makeFolder()
        try streams.check(path, isReplaced: ifExists == .replace)
        let part = Self.partPath(of: path)
        _ = try Self.checkExistingPart(part)
        let file = try PartFile.makeOrOpen(part, FilePermissions(rawValue: 0o666)).file
        defer { try? file.close() }
        do {
            try file.resize(to: 0)
            try bytes.withUnsafeBytes { _ = try file.writeAll($0) }
        } catch {
            unlink(part)
            throw URLError(.cannotWriteToFile, detail: "\(part): \(error)")
        }
        let finished = FinishedFile(path: part, file: file)
        try finished.synchronize()
        return try FinishedDownload(part: finished, modified: nil).move(to: path, self)
    }
}
