import FoundationEssentials
package import Glibc
import SystemPackage

/// What a path names, if that is a regular file.
package struct FileStatus: Sendable {
    private let status: stat

    /// Looks at a path; a symbolic link is not followed, and is `nil` as all else that is no file.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at what is open.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.status = status
    }

    /// Bytes.
    package var size: Int64 { Int64(status.st_size) }

    /// Whole seconds since 1970.
    package var modified: Int { status.st_mtim.tv_sec }

    /// Whether it is the process's own, under this name alone: what another user may write to, or
    /// has put here, is neither trusted nor overwritten.
    package var isOurs: Bool { isOwned && status.st_nlink == 1 }

    /// Whether it belongs to the process's user, be it under several names.
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

/// Which file it is, in which state: each write to it, and each file in its place, changes it.
package struct FileIdentity: Sendable, Hashable, Codable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: Int64
    /// The last change of its contents, nanoseconds since 1970.
    package let modified: Int64
    /// The kernel's own name for this run of the machine; empty where it has none.
    package let boot: String

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, boot: String) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.boot = boot
    }

    /// Whether the file is untouched since; the machine may have been started again.
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
    /// Of a time that no 64 bits can count, such as one in the year 2300, the count begins anew: two
    /// times are still distinguished.
    package var nanoseconds: Int64 {
        Int64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: tv_nsec)
    }
}

/// Paths from the root, which mean the same whatever folder the process is in later.
package enum AbsolutePath {
    /// Whether the working folder has one.
    package static var isPossible: Bool { workingFolder != nil }

    /// The working folder; `nil` where it has gone, or cannot be reached from the root.
    private static var workingFolder: String? {
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { space in
            getcwd(space.baseAddress, space.count).map { String(cString: $0) }
        }
        return path.flatMap { isPath($0) ? $0 : nil } ?? longWorkingFolder
    }

    /// The same of a path that is longer than most.
    private static var longWorkingFolder: String? {
        let path = FileManager.default.currentDirectoryPath
        return isPath(path) ? path : nil
    }

    private static func isPath(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "/") }

    /// The same path from the root, which a URL takes as it is.
    ///
    /// Of one that is not, a URL makes the home folder where it begins with a `~`, and code that
    /// looks at the path itself looks elsewhere.
    package static func of(_ path: String) -> String {
        guard !isPath(path) else { return path }
        // A folder that is gone has no path; nothing can be found there, or made.
        guard let folder = workingFolder else { return "/proc/\(getpid())/cwd/\(path)" }
        return folder == "/" ? "/" + path : "\(folder)/\(path)"
    }
}

extension URL {
    /// The path of a file's URL, as `path` has it, which resolves escapes also where there are none.
    package var filePath: String {
        let text = absoluteString
        guard text.startsWithBytes(of: "file:///"), text.utf8.last != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ byte in
                byte != UInt8(ascii: "%") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            })
        else { return path }
        return String(Substring(text.utf8.dropFirst("file://".utf8.count)))
    }
}
