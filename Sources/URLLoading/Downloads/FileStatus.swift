import Glibc

/// What a path names, if that is a regular file of one name.
package struct FileStatus: Sendable, Equatable {
    package var identity: FileIdentity
    /// Bytes.
    package let size: Int64
    /// Seconds since 1970.
    package let modified: Int

    /// Looks at a path; a symbolic link is not followed, and is `nil` as all else that is no file.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        identity = FileIdentity(status)
        size = Int64(status.st_size)
        modified = status.st_mtim.tv_sec
    }
}
