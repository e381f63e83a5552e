import CLinux
import FoundationEssentials
package import Glibc
package import SystemPackage

/// Moves a complete file to its final name.
///
/// Before and after the rename the path must name the open file, because other users may be able to put
/// another file there. The user must be allowed to replace an existing file (``FolderTrust``). A file without
/// a name gets its first one, and replaces no other.
package struct FinishedFile {
    package let path: String
    /// The open file; another file may be at the path by now.
    package let file: FileDescriptor
    /// The file's status at an earlier moment; `nil` where it cannot be read.
    ///
    /// It identifies the file as long as `file` is open: no other file gets the inode number meanwhile.
    private let earlier: stat?
    /// Whether the file has no name yet, and therefore no other user can replace it.
    private let isUnnamed: Bool

    package init(path: String, file: FileDescriptor) {
        var status = stat()
        let isKnown = fstat(file.rawValue, &status) == 0
        (self.path, self.file, earlier) = (path, file, isKnown ? status : nil)
        isUnnamed = false
    }

    init(_ part: PartFile) {
        (path, file, earlier) = (part.path, part.descriptor, part.status)
        isUnnamed = part.isUnnamed
    }

    /// Writes the file's bytes to the disk, which may take long.
    ///
    /// So the caller examines the final name afterwards.
    ///
    /// Throws `cannotWriteToFile` where the disk refuses.
    package func synchronize() throws(URLError) {
        guard fsync(file.rawValue) == 0 else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
    }

    /// The status of the file at the path.
    ///
    /// Throws `cannotMoveFile` where the path names another file by now.
    package func status() throws(URLError) -> stat {
        if isUnnamed, let earlier { return earlier }
        guard let earlier, let status = PartFile.status(path, ifSameAs: earlier) else {
            throw isAnother(path)
        }
        return status
    }

    /// Renames the file, without writing the folder to the disk.
    ///
    /// - Parameters:
    ///   - target: the final path.
    ///   - replaces: whether to replace an existing file.
    ///   - own: the ``status()`` of the file, if the caller has just read it.
    /// - Returns: `false` if another file has the name and must remain.
    /// - Throws: `cannotMoveFile`; `cannotCreateFile` where the file to replace belongs to another user.
    package func move(
        to target: String,
        replaces: Bool,
        being own: stat? = nil
    ) throws(URLError) -> Bool {
        let own = if let own { own } else { try status() }
        if isUnnamed {
            assert(!replaces, "linkat(2) replaces no file")
            return try name(target)
        }
        if replaces {
            do throws(ForeignFile) {
                _ = try FolderTrust.check(target)
            } catch {
                throw URLError(.cannotCreateFile, detail: "\(error)")
            }
        }
        do throws(Errno) {
            guard try Self.rename(path, to: target, replaces: replaces) else { return false }
        } catch {
            var failure = URLError(.cannotMoveFile, at: "\(path) to \(target)", error)
            if error == .notSupported { failure.detail += Self.cannotRefuse }
            throw failure
        }
        guard PartFile.status(target, ifSameAs: own) != nil else { throw isAnother(target) }
        return true
    }

    /// Gives a file its first name.
    ///
    /// - Returns: `false` if another file has the name.
    private func name(_ target: String) throws(URLError) -> Bool {
        // The superuser may name the file by its descriptor alone (AT_EMPTY_PATH), other users by /proc.
        let source = "/proc/self/fd/\(file.rawValue)"
        if linkat(file.rawValue, "", AT_FDCWD, target, 0x1000) == 0 { return true }
        if errno == ENOENT, linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 {
            return true
        }
        let reason = Errno(rawValue: errno)
        guard reason != .fileExists else { return false }
        do {
            return try nameCopy(target)
        } catch let error as URLError where error.code == .cannotMoveFile {
            throw error
        } catch {
            throw URLError(.cannotMoveFile, at: target, reason)
        }
    }

    /// Copies a file that nothing may link to its part file's path, and renames the copy.
    ///
    /// A security module may refuse links where it allows to rename. Returns `false` if another file has
    /// the name.
    private func nameCopy(_ target: String) throws -> Bool {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        // A longer body has a name; another process of the user may have changed the file.
        guard (0...16 << 10).contains(status.st_size) else { throw Errno.fileTooLarge }
        let copy = try PartFile.makeNew(path, .ownerReadWrite)
        defer { try? copy.file.close() }
        var isMoved = false
        // The path may name another program's file by now.
        defer { if !isMoved, PartFile.isSame(path, copy.file) { unlink(path) } }
        try withUnsafeTemporaryAllocation(byteCount: Int(status.st_size), alignment: 1) { space in
            let count = try file.read(fromAbsoluteOffset: 0, into: space)
            guard count == space.count else { throw Errno.ioError }
            try copy.file.writeAll(UnsafeRawBufferPointer(rebasing: space.prefix(count)))
        }
        linux_set_modification_time(copy.file.rawValue, Int64(status.st_mtim.tv_sec))
        guard fchmod(copy.file.rawValue, status.st_mode & 0o777) == 0,
            fsync(copy.file.rawValue) == 0
        else { throw Errno(rawValue: errno) }
        isMoved = try Self(path: path, file: copy.file).move(to: target, replaces: false)
        return isMoved
    }

    /// Renames a file in one step.
    ///
    /// - Returns: `false` if another file has the name and must remain.
    /// - Throws: the error of rename(2); `notSupported` where the file system cannot refuse to replace
    ///   a file. There is no check before the rename, because a file created in between would be lost.
    package static func rename(
        _ path: String,
        to target: String,
        replaces: Bool
    ) throws(Errno) -> Bool {
        if replaces {
            guard Glibc.rename(path, target) == 0 else { throw Errno(rawValue: errno) }
            return true
        }
        // Lent: for an argument of C's type, Swift would copy the paths to arrays.
        let result = path.withCString { path in
            target.withCString { linux_rename_noreplace(AT_FDCWD, path, AT_FDCWD, $0) }
        }
        if result == 0 { return true }
        switch errno {
        case EEXIST: return false
        // Some network drives do not support the flag: link the new name, then remove the old one.
        case EINVAL, ENOSYS, ENOTSUP:
            if link(path, target) == 0 {
                unlink(path)
                return true
            }
            switch errno {
            case EEXIST: return false
            case EPERM, EINVAL, ENOSYS, ENOTSUP: throw .notSupported
            default: throw Errno(rawValue: errno)
            }
        default: throw Errno(rawValue: errno)
        }
    }

    private static let cannotRefuse =
        "; on this file system, the rename could replace another file"

    /// Whether the move failed because the file system cannot refuse to replace a file.
    package static func needsReplacing(_ error: URLError) -> Bool {
        error.code == .cannotMoveFile && error.detail.endsWithBytes(of: cannotRefuse)
    }

    private func isAnother(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(path) is not the file that was received")
    }
}

/// The mode of a program's new files.
package enum NewFileMode {
    /// Readable and writable for all users, except for the bits of umask(2).
    package static var current: UInt32 { 0o666 & ~mask }

    /// The mode of a file that replaces another: the mode of the replaced file, if the user owns it.
    ///
    /// If other users can write to the folder, the mode omits the bits that the umask removes. There need
    /// not be a file at the path.
    static func replacing(_ path: String) -> UInt32 {
        var old = stat()
        guard lstat(path, &old) == 0, old.st_mode & S_IFMT == S_IFREG, old.st_uid == geteuid(),
            // The rights of another group are for that group alone.
            old.st_gid == getegid() || old.st_mode & 0o070 == 0
        else { return current }
        let isShared = FolderTrust(FolderTrust.folder(of: path))?.isShared ?? true
        return UInt32(old.st_mode & 0o777) & (isShared ? ~mask : 0o777)
    }

    /// The bits that umask(2) removes.
    ///
    /// We read the value from `/proc`: umask(2) reads it only by changing it, which other threads would see.
    package static var mask: UInt32 {
        let file = try? FileDescriptor.open("/proc/self/status", .readOnly, options: .closeOnExec)
        guard let file else { return 0o077 }
        defer { try? file.close() }
        // It is the second line, behind the program's name.
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { space in
            let text = space.prefix((try? file.read(into: space)) ?? 0)
            let line = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2).dropFirst().first
            let digits = line?.split(separator: UInt8(ascii: "\t")).last
            return digits.flatMap { UInt32(String(decoding: $0, as: UTF8.self), radix: 8) } ?? 0o077
        }
    }
}
