import CLinux
import Glibc
package import SystemPackage

// Naming, creating, opening and locking part files.
extension PartFile {
    /// A part file that is open and locked.
    package struct Opened: Sendable {
        package let file: FileDescriptor
        /// Its status when it was locked, before it was emptied.
        let status: stat
        /// Whether another download has left it.
        let isExistingPart: Bool
    }

    /// How often a file is opened that another process replaces meanwhile.
    ///
    /// On some network drives a path never names the open file.
    private static let maximumOpenings = 100
    private static let temporaryPrefix = "URLLoading-"
    private static let temporarySuffix = ".tmp"

    /// The path under which the download writes a file until it is complete.
    ///
    /// The name ends in `.part`. We shorten a long name, to leave room for `.part` and for the resume file's
    /// suffix.
    package static func path(of file: String) -> String {
        // Linux's 255 bytes without `.part.resume~`.
        let room = 242
        // Nearly every path is shorter than the longest name.
        guard file.utf8.count > room else { return file + ".part" }
        let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]
        guard name.utf8.count > room else { return file + ".part" }
        var cut = name
        while cut.utf8.count > room { cut.unicodeScalars.removeLast() }
        return String(file[..<name.startIndex]) + cut + ".part"
    }

    static func temporaryName() -> String {
        "\(temporaryPrefix)\(UInt64.random(in: .min ... .max))\(temporarySuffix)"
    }

    /// Whether a name has the form of a temporary file's name, and therefore leads into no other folder.
    static func isTemporaryName(_ name: String) -> Bool {
        guard name.startsWithBytes(of: temporaryPrefix), name.endsWithBytes(of: temporarySuffix)
        else { return false }
        let number = Substring(
            name.utf8.dropFirst(temporaryPrefix.utf8.count).dropLast(temporarySuffix.utf8.count)
        )
        return UInt64(digits: number) != nil
    }

    /// Creates a file.
    ///
    /// - Returns: the file, not locked; `nil` where a file exists.
    private static func make(
        _ path: String,
        _ permissions: FilePermissions
    ) throws(URLError) -> FileDescriptor? {
        do {
            return try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: permissions
            )
        } catch Errno.fileExists {
            return nil
        } catch {
            throw refused(path, error as? Errno ?? .ioError)
        }
    }

    /// Whether `/proc` is there, which names the open files of a process.
    private static let canNameFiles = access("/proc/self/fd", F_OK) == 0

    /// Creates a file without a name, in the folder of a path.
    ///
    /// - Returns: `nil` where the file system cannot, or is not known to name such a file later.
    static func makeUnnamed(besides path: String, _ permissions: FilePermissions) -> Opened? {
        guard canNameFiles else { return nil }
        let file = try? FileDescriptor.open(
            FolderTrust.folder(of: path),
            .readWrite,
            options: [.unnamed, .closeOnExec],
            permissions: permissions
        )
        guard let file else { return nil }
        var status = stat()
        guard linux_can_be_named(file.rawValue) != 0, fstat(file.rawValue, &status) == 0 else {
            try? file.close()
            return nil
        }
        return Opened(file: file, status: status, isExistingPart: false)
    }

    /// Creates and locks a file; throws `cannotCreateFile` if there is one already.
    static func makeNew(_ path: String, _ permissions: FilePermissions) throws(URLError) -> Opened {
        let opened = try makeOrOpen(path, permissions)
        guard opened.isExistingPart else { return opened }
        try? opened.file.close()
        throw URLError(.cannotCreateFile, detail: "\(path) has been made by another process")
    }

    /// Creates a file, or empties the existing one.
    static func makeOrEmpty(
        _ path: String,
        _ permissions: FilePermissions,
        _ resumeFile: ResumeFile?
    ) throws(URLError) -> Opened {
        let opened =
            if let opened = PartFileLocks.takeOver(path) { opened } else {
                try makeOrOpen(path, permissions)
            }
        guard opened.isExistingPart else { return opened }
        // We remove the resume data before the bytes that it describes.
        resumeFile?.remove()
        do {
            try opened.file.resize(to: 0)
            return opened
        } catch {
            try? opened.file.close()
            throw URLError(.cannotCreateFile, at: path, error)
        }
    }

    /// Creates a file, or opens the existing one, and locks it.
    ///
    /// - Throws: `cannotCreateFile` where the path is a symbolic link, the file belongs to another user
    ///   or has a second hard link, or another process writes to it.
    package static func makeOrOpen(
        _ path: String,
        _ permissions: FilePermissions
    ) throws(URLError) -> Opened {
        for _ in 0..<maximumOpenings {
            if let made = try make(path, permissions) {
                try lock(made, path)
                if let status = status(path, of: made) {
                    return Opened(file: made, status: status, isExistingPart: false)
                }
                // Another process locked the file first, and has renamed or removed it.
                try? made.close()
            } else if let opened = try openLocked(path) {
                return opened
            }
        }
        throw busy(path)
    }

    /// Opens and locks a file, and repeats until the path names the locked file: between the two calls
    /// another process may finish with the file and move it away.
    ///
    /// - Returns: the file; `nil` where none exists.
    static func openLocked(_ path: String) throws(URLError) -> Opened? {
        for _ in 0..<maximumOpenings {
            let descriptor: FileDescriptor
            do {
                descriptor = try FileDescriptor.open(
                    path,
                    .writeOnly,
                    options: [.noFollow, .closeOnExec, .nonBlocking]
                )
            } catch Errno.noSuchFileOrDirectory {
                return nil
            } catch {
                throw refused(path, error as? Errno ?? .ioError)
            }
            try lock(descriptor, path)
            if let status = status(path, of: descriptor) {
                try checkOurs(descriptor, status, path)
                return Opened(file: descriptor, status: status, isExistingPart: true)
            }
            try? descriptor.close()
        }
        throw busy(path)
    }

    private static let busyWords = "is being written by another process"

    /// The error for a file that another download has locked.
    package static func busy(_ path: String) -> URLError {
        URLError(.cannotCreateFile, detail: "\(path) \(busyWords)")
    }

    /// Whether the error means that another download has locked the file.
    static func isBusy(_ error: URLError) -> Bool { error.detail.endsWithBytes(of: busyWords) }

    private static func lock(_ descriptor: FileDescriptor, _ path: String) throws(URLError) {
        guard linux_lock_exclusively(descriptor.rawValue) != 0 else { return }
        let reason = Errno(rawValue: errno)
        try? descriptor.close()
        guard reason != .wouldBlock else { throw busy(path) }
        throw URLError(.cannotCreateFile, detail: "\(path) cannot be locked: \(reason)")
    }

    /// Closes an existing file, and throws, if another user may be able to change it.
    private static func checkOurs(
        _ descriptor: FileDescriptor,
        _ status: stat,
        _ path: String
    ) throws(URLError) {
        let status = FileStatus(status)
        if let status, status.isOurs { return }
        try? descriptor.close()
        let words =
            status == nil
            ? "is not a regular file" : "belongs to another user, or has a second hard link"
        throw URLError(.cannotCreateFile, detail: "\(path) \(words)")
    }

    /// Whether a path names this open file.
    package static func isSame(_ path: String, _ descriptor: FileDescriptor) -> Bool {
        status(path, of: descriptor) != nil
    }

    /// The status of an open file; `nil` where the path does not name it.
    private static func status(_ path: String, of descriptor: FileDescriptor) -> stat? {
        var open = stat()
        guard fstat(descriptor.rawValue, &open) == 0 else { return nil }
        return status(path, ifSameAs: open)
    }

    /// The status of the file at a path; `nil` where it is not the file of an earlier status.
    static func status(_ path: String, ifSameAs earlier: stat) -> stat? {
        var named = stat()
        // Lent: for an argument of C's type, Swift would copy the path to an array.
        guard path.withCString({ lstat($0, &named) }) == 0, named.st_dev == earlier.st_dev,
            named.st_ino == earlier.st_ino
        else { return nil }
        return named
    }

    /// Opens the file a second time, for reading.
    ///
    /// Throws `cannotOpenFile` where the path names another file by now, or the file is not readable.
    func openForReading() throws(URLError) -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .closeOnExec, .nonBlocking]
            )
        } catch {
            throw URLError(.cannotOpenFile, at: path, error)
        }
        guard let own = identity, let found = FileStatus(descriptor: file.rawValue)?.identity,
            own.device == found.device, own.inode == found.inode
        else {
            try? file.close()
            throw URLError(.cannotOpenFile, detail: "\(path) has been replaced")
        }
        return file
    }

    private static func refused(_ path: String, _ errno: Errno) -> URLError {
        var error = URLError(.cannotCreateFile, at: path, errno)
        if errno == .tooManySymbolicLinkLevels {
            error.detail = "\(path): is a symbolic link, which is not followed"
        }
        return error
    }
}

extension FileDescriptor.OpenOptions {
    /// O_TMPFILE, whose declaration Swift cannot read.
    fileprivate static let unnamed = Self(rawValue: Self.directory.rawValue | 0o20_000_000)
}
