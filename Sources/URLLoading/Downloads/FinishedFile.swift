import CLinux
import FoundationEssentials
package import Glibc
package import SystemPackage

/// A received file that is whole, on its way to its final name: the way to get there.
///
/// Before and after the rename its path must name the file that is open, since others may be able to
/// put another there. What is replaced must be the user's to replace (``FolderTrust``).
package struct FinishedFile {
    /// Where it is.
    package let path: String
    /// The file, open; what is at its path may be another file by now.
    package let file: FileDescriptor
    /// The file's status at an earlier moment; `nil` where it cannot be read.
    private let earlier: stat?

    package init(path: String, file: FileDescriptor) {
        var status = stat()
        let isKnown = fstat(file.rawValue, &status) == 0
        (self.path, self.file, earlier) = (path, file, isKnown ? status : nil)
    }

    init(_ part: PartFile) {
        (path, file, earlier) = (part.path, part.descriptor, part.status)
    }

    /// Brings its bytes to the disk, which may take long: what has the final name is looked at after
    /// it.
    ///
    /// Throws `cannotWriteToFile` where the disk refuses at the last moment.
    package func synchronize() throws(URLError) {
        guard fsync(file.rawValue) == 0 else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
    }

    /// What it is.
    ///
    /// Throws `cannotMoveFile` where its path names another file by now.
    package func status() throws(URLError) -> stat {
        guard let earlier, let status = PartFile.status(path, ifSameAs: earlier) else {
            throw isAnother(path)
        }
        return status
    }

    /// Gives it a name; the folder is not brought to the disk.
    ///
    /// - Parameters:
    ///   - target: the name.
    ///   - replaces: whether a file that has it goes.
    /// - Returns: `false` where another file has the name, and stays.
    /// - Throws: `cannotMoveFile`; `cannotCreateFile` where another user's file, which would be
    ///   replaced, is in the way.
    package func move(to target: String, replaces: Bool) throws(URLError) -> Bool {
        try move(to: target, replaces: replaces, being: status())
    }

    /// Gives a name to a file at which ``status()`` has looked just now.
    ///
    /// - Parameters:
    ///   - target: the name.
    ///   - replaces: whether a file that has it goes.
    ///   - own: what the file is.
    /// - Returns: `false` where another file has the name, and stays.
    /// - Throws: as ``move(to:replaces:)``.
    package func move(
        to target: String,
        replaces: Bool,
        being own: stat
    ) throws(URLError) -> Bool {
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

    /// Renames a file in one step.
    ///
    /// - Returns: `false` where another file has the name, and stays.
    /// - Throws: what rename(2) does; `notSupported` where the file system cannot refuse to replace
    ///   a file. It is not done in two steps, since a file that came between them would be lost.
    package static func rename(
        _ path: String,
        to target: String,
        replaces: Bool
    ) throws(Errno) -> Bool {
        if replaces {
            guard Glibc.rename(path, target) == 0 else { throw Errno(rawValue: errno) }
            return true
        }
        if linux_rename_noreplace(AT_FDCWD, path, AT_FDCWD, target) == 0 { return true }
        switch errno {
        case EEXIST: return false
        // Some network drives do not know the flag: a second name, and then the first goes.
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
        "; the file system can give no name without perhaps replacing a file that has it"

    /// Whether a file could not be moved since its file system cannot refuse to replace another.
    package static func needsReplacing(_ error: URLError) -> Bool {
        error.code == .cannotMoveFile && error.detail.endsWithBytes(of: cannotRefuse)
    }

    private func isAnother(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(path) is not the file that was received")
    }
}

/// The mode that a program's new files have.
package enum NewFileMode {
    /// Readable and writable for all users, except for the bits of umask(2).
    package static var current: UInt32 { 0o666 & ~mask }

    /// The mode of a file that replaces another: the mode of the user's own file.
    ///
    /// Where others can write to the folder, the bits for others that the umask removes are left
    /// out.
    ///
    /// - Parameter path: where the other file is, if there is one.
    /// - Returns: the mode.
    static func replacing(_ path: String) -> UInt32 {
        var old = stat()
        guard lstat(path, &old) == 0, old.st_mode & S_IFMT == S_IFREG, old.st_uid == geteuid(),
            // Its group's rights are for that group alone.
            old.st_gid == getegid() || old.st_mode & 0o070 == 0
        else { return current }
        let isShared = FolderTrust(FolderTrust.folder(of: path))?.isShared ?? true
        return UInt32(old.st_mode & 0o777) & (isShared ? ~mask : 0o777)
    }

    /// The bits that umask(2) removes.
    ///
    /// That is read from where it can be without changing it for a moment, which other threads would
    /// see.
    package static var mask: UInt32 {
        let status = try? Data(contentsOf: URL(filePath: "/proc/self/status"))
        let text = status.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = text.split(separator: "\n").first { $0.startsWithBytes(of: "Umask:") }
        let digits = line?.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last
        return digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
    }
}
