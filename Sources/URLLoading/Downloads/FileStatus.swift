import FoundationEssentials
package import Glibc
import SystemPackage

/// The status of a regular file.
package struct FileStatus: Sendable {
    private let status: stat

    /// Reads the status at a path; `nil` for a symbolic link, which it does not follow, and for any
    /// non-file.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of an open file descriptor.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.status = status
    }

    /// Opens a regular file for reading, with further options.
    ///
    /// Throws `fileDoesNotExist`, `fileIsDirectory`, `noPermissionsToReadFile`, or `cannotOpenFile`.
    static func open(
        _ path: String,
        _ options: FileDescriptor.OpenOptions = []
    ) throws(URLError) -> (FileDescriptor, FileStatus) {
        let file: FileDescriptor
        do {
            // Without O_NONBLOCK a FIFO without a writer would block the caller.
            let always: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            file = try FileDescriptor.open(path, .readOnly, options: always.union(options))
        } catch {
            throw URLError(opening: path, error as? Errno ?? .ioError)
        }
        var status = stat()
        if fstat(file.rawValue, &status) == 0, let status = FileStatus(status) {
            return (file, status)
        }
        try? file.close()
        throw status.st_mode & S_IFMT == S_IFDIR
            ? URLError(.fileIsDirectory, detail: path)
            : URLError(.cannotOpenFile, detail: "\(path) is not a regular file")
    }

    /// Bytes.
    package var size: Int64 { Int64(status.st_size) }

    /// Whole seconds since 1970.
    package var modified: Int { status.st_mtim.tv_sec }

    /// Whether the process's user owns the file, and the file has no second hard link.
    ///
    /// Other files are neither trusted nor overwritten, because another user may write to them.
    package var isOurs: Bool { isOwned && status.st_nlink == 1 }

    /// Whether the process's user owns the file, which may have several hard links.
    package var isOwned: Bool { status.st_uid == geteuid() }

    package var identity: FileIdentity {
        FileIdentity(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: size,
            modified: status.st_mtim.nanoseconds,
            boot: FileIdentity.currentBoot
        )
    }
}

/// Which file it is, and in which state: a write to the file or a replacement of the file changes the value.
package struct FileIdentity: Sendable, Hashable, Codable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: Int64
    /// The time of the last modification, nanoseconds since 1970.
    package let modified: Int64
    /// The kernel's identifier of this boot; empty where the kernel has none.
    package let boot: String

    /// Whether the file is unchanged; the machine may have been rebooted.
    package func isUnchanged(from other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode && size == other.size
            && modified == other.modified
    }

    static let currentBoot: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return ""
        }
        defer { try? file.close() }
        let text = try? String(unsafeUninitializedCapacity: 36) { space in
            try file.read(into: UnsafeMutableRawBufferPointer(space))
        }
        return text ?? ""
    }()
}

extension timespec {
    /// Nanoseconds since 1970.
    ///
    /// For a time that 64 bits cannot hold, such as one in the year 2300, the value wraps around: two
    /// times still differ.
    package var nanoseconds: Int64 {
        Int64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: tv_nsec)
    }
}

/// Absolute paths, which stay valid when the working folder changes.
package enum AbsolutePath {
    /// Whether the working folder has an absolute path that is UTF-8.
    package static var isPossible: Bool { workingFolder != nil }

    /// The working folder of this process, whatever its path is.
    static let openFolder = "/proc/\(getpid())/cwd"

    /// The working folder; `nil` if it has been removed, has no path from the root, or is not UTF-8.
    static var workingFolder: String? {
        let (isShort, path) = withUnsafeTemporaryAllocation(
            of: CChar.self,
            capacity: Int(PATH_MAX)
        ) { space -> (Bool, String?) in
            guard let start = getcwd(space.baseAddress, space.count) else { return (false, nil) }
            return (true, String(validatingCString: start))
        }
        let found = isShort ? path : longWorkingFolder
        return found.flatMap { isPath($0) ? $0 : nil }
    }

    /// The working folder, for a path longer than `PATH_MAX`.
    private static var longWorkingFolder: String? {
        let path = FileManager.default.currentDirectoryPath
        // The path of another folder, if bytes were not UTF-8.
        return path.unicodeScalars.contains("\u{FFFD}") ? nil : path
    }

    /// The path in a form that is valid after this process has ended: below ``openFolder`` it is relative.
    package static func lasting(_ path: String) -> String {
        guard path.startsWithBytes(of: openFolder + "/") else { return path }
        return String(Substring(path.utf8.dropFirst(openFolder.utf8.count + 1)))
    }

    private static func isPath(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "/") }

    /// The absolute form of a path, which `URL` takes unchanged.
    ///
    /// `URL` expands a leading `~` in a relative path to the home folder. Code that uses the path
    /// itself would then open another file.
    package static func of(_ path: String) -> String {
        guard !isPath(path) else { return path }
        // A removed working folder has no path, and open(2) finds and creates no file in it. A path that is
        // not UTF-8 would become another one.
        guard let folder = workingFolder else { return "\(openFolder)/\(path)" }
        return folder == "/" ? "/" + path : "\(folder)/\(path)"
    }
}

extension URL {
    /// The path of a file URL.
    ///
    /// It equals `path`, but skips the percent decoding where nothing is encoded.
    package var filePath: String { plainFilePath ?? path }

    /// The path of a file URL in which nothing is encoded; `nil`: another URL.
    var plainFilePath: String? {
        let text = absoluteString
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.last != UInt8(ascii: "/")
                && bytes.allSatisfy { byte in
                    byte != UInt8(ascii: "%") && byte != UInt8(ascii: "?")
                        && byte != UInt8(ascii: "#")
                }
        }
        guard isPlain == true, text.startsWithBytes(of: "file:///") else { return nil }
        return String(Substring(text.utf8.dropFirst("file://".utf8.count)))
    }
}
