import Glibc

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

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.status = status
    }

    /// Bytes.
    package var size: Int64 { Int64(status.st_size) }

    /// Whole seconds since 1970.
    package var modified: Int { status.st_mtim.tv_sec }

    /// Whether it is the process's own, under this name alone: what somebody else may write to, or
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
