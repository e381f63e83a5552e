/// A file that a task has received, whole and on the disk.
struct BackgroundFile: Codable, Hashable, Sendable {
    /// Its absolute path.
    var path: String
    /// Which file it is.
    var device: UInt64
    var inode: UInt64
    /// Bytes.
    var size: Int64

    init(path: String, device: UInt64, inode: UInt64, size: Int64) {
        self.path = path
        self.device = device
        self.inode = inode
        self.size = size
    }

    /// Looks at a file; `nil` where there is none.
    init?(_ path: String) {
        guard let identity = FileStatus(path)?.identity else { return nil }
        self.init(
            path: path,
            device: identity.device,
            inode: identity.inode,
            size: identity.size
        )
    }

    /// Whether a path names this file, wherever it was before.
    func isFound(at path: String) -> Bool {
        guard let found = BackgroundFile(path) else { return false }
        return found.device == device && found.inode == inode
    }

    /// Whether it is no longer where it was left: somebody has moved or removed it.
    var isTaken: Bool { !isFound(at: path) }
}
