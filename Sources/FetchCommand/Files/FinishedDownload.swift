import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// A complete part file that is to get its final name.
struct FinishedDownload {
    let part: FinishedFile
    let destination: FileDestination
    /// The files that it must not replace.
    let streams: StreamFiles
    /// When the body's source was last modified, in seconds since 1970.
    var modified: Int64?
    var validator: StoredValidator?

    /// Sets the mode, time and validator of the synchronized part file, and renames it.
    ///
    /// The final name never has an incomplete file. Returns the final path; `nil` if an existing
    /// file is kept, and the part was deleted. Throws `cannotMoveFile`, `cannotWriteToFile`.
    func move(to path: String) throws(URLError) -> String? {
        var old: stat?
        var isShared = false
        if destination.ifExists == .replace {
            isShared = FolderTrust(destination.folder)?.isShared ?? true
            old = try destination.statusOfExisting(at: path)
            // Only the user's own file that existed at the start passes on its mode.
            if old?.st_uid != geteuid() || destination.old != FilePlace(ofFile: path) { old = nil }
        }
        let own = try part.status()
        try setAttributes(own, replacing: old, isShared: isShared)
        do throws(URLError) {
            return try name(own, path)
        } catch {
            var error = error
            if FinishedFile.needsReplacing(error) { error.detail += " (-O NAME replaces)" }
            throw error
        }
    }

    /// Renames the part if the name is free or may be replaced.
    private func name(_ own: stat, _ path: String) throws(URLError) -> String? {
        var candidate = path
        let replaces = destination.ifExists == .replace
        let isNumbered = destination.ifExists == .number
        while true {
            if !isNumbered || !streams.claims(candidate),
                try part.move(to: candidate, replaces: replaces, being: own)
            {
                return candidate
            }
            guard isNumbered else {
                unlink(part.path)
                ResumeFile(of: part.path).remove()
                return nil
            }
            // Another file has taken the name meanwhile; try the next number.
            candidate = destination.path(numbered: destination.number(of: candidate) + 1)
        }
    }

    /// Sets mode, group, time and validator, as of a replaced file; throws `cannotWriteToFile`.
    private func setAttributes(_ own: stat, replacing old: stat?, isShared: Bool) throws(URLError) {
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

    /// The new file's mode, after its group was set; `nil`: unchanged.
    private func mode(instead own: stat, replacing old: stat?, isShared: Bool) -> mode_t? {
        guard let old else {
            // Until its mode is known, a replacement is inaccessible to other users.
            guard own.st_mode & 0o777 != 0o600 else { return mode_t(NewFileMode.current) }
            // A part that the user had before may have bits that the umask forbids.
            guard own.st_mode & 0o022 != 0 else { return nil }
            return own.st_mode & 0o777 & ~mode_t(NewFileMode.mask)
        }
        let keepsGroup =
            own.st_gid == old.st_gid || fchown(part.file.rawValue, uid_t.max, old.st_gid) == 0
        // Set-user-ID and set-group-ID bits are dropped, because the content is new. If the group
        // could not be kept, its permission bits are dropped too.
        let kept = old.st_mode & (keepsGroup ? 0o777 : 0o707)
        return isShared ? kept & ~mode_t(NewFileMode.mask) : kept
    }
}

extension FileDestination {
    /// Creates a file with these bytes, completely or not at all, and returns its final path.
    ///
    /// `nil` if a file that appeared meanwhile is kept. Throws `cannotCreateFile`,
    /// `cannotWriteToFile` or `cannotMoveFile`.
    func write(_ bytes: Data, besides streams: StreamFiles) throws(URLError) -> String? {
        try makeFolder()
        try checkWay()
        try streams.check(path, isReplaced: ifExists == .replace)
        let part = PartFile.path(of: path)
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
        let download = FinishedDownload(part: finished, destination: self, streams: streams)
        return try download.move(to: path)
    }
}
