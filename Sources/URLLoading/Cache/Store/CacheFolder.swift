import Glibc

/// The folder of a cache on disk: what makes it, and what it takes to be trusted.
enum CacheFolder {
    /// Whether answers may be kept in a folder; it is made where it is missing, mode 0700.
    ///
    /// Not in one of another user's, nor in one that others may write to. Root makes none where the
    /// folder above is somebody else's: under sudo(8) that user could use it no more.
    static func isUsable(_ path: String) -> Bool {
        if isOwn(path) { return true }
        guard errno == ENOENT, mayMake(path) else { return false }
        for index in path.indices.dropFirst() where path[index] == "/" {
            mkdir(String(path[..<index]), 0o700)
        }
        mkdir(path, 0o700)
        return isOwn(path)
    }

    /// Whether a path is a folder that nobody else may write to; a link is none.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        errno = 0
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    private static func mayMake(_ path: String) -> Bool {
        guard geteuid() == 0 else { return true }
        var above = path[...]
        while let slash = above.utf8.lastIndex(of: UInt8(ascii: "/")) {
            above = above[..<slash]
            var status = stat()
            if stat(above.isEmpty ? "/" : String(above), &status) == 0 {
                return status.st_uid == 0
            }
        }
        return false
    }
}
