public import Foundation

/// A directory entry: its kind, permissions and content.
///
/// Two values are equal where the file is unchanged; the number of names does not count.
public struct FileEntry: Sendable, Equatable, CustomStringConvertible {
    /// `S_IFREG` and so on.
    public let kind: mode_t
    /// The permission bits, with set-user-id and the like.
    public let mode: mode_t
    /// The owner.
    public let user: uid_t
    /// The group.
    public let group: gid_t
    /// The inode number.
    public let inode: ino_t
    /// The number of hard links.
    public let names: Int
    /// A regular file's bytes, or the target of a symbolic link; empty for all other kinds.
    public let content: [UInt8]

    /// Reads an entry without following a symbolic link; `nil` where no entry has the name.
    public init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        kind = status.st_mode & S_IFMT
        mode = status.st_mode & 0o7777
        user = status.st_uid
        group = status.st_gid
        inode = status.st_ino
        names = Int(status.st_nlink)
        switch kind {
        case S_IFREG: content = Array(FileManager.default.contents(atPath: path) ?? Data())
        case S_IFLNK:
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            content = Array((target ?? "").utf8)
        default: content = []
        }
    }

    /// Whether both are the same entry, unchanged.
    public static func == (one: FileEntry, other: FileEntry) -> Bool {
        one.kind == other.kind && one.mode == other.mode && one.user == other.user
            && one.group == other.group && one.inode == other.inode
            && one.content == other.content
    }

    /// The entry as in a long listing, with the first bytes of its content.
    public var description: String {
        let kinds: [mode_t: String] = [
            S_IFREG: "file", S_IFLNK: "link", S_IFIFO: "FIFO", S_IFSOCK: "socket",
            S_IFCHR: "device", S_IFDIR: "folder",
        ]
        let start = String(decoding: content.prefix(24), as: UTF8.self)
        return "\(kinds[kind] ?? "?") \(String(mode, radix: 8)) \(user):\(group) #\(inode)"
            + " ×\(names) \(content.count) bytes \(start.debugDescription)"
    }
}

extension TemporaryFolder {
    /// All entries below the folder, by their relative paths.
    public func entries() -> [String: FileEntry] {
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return found.reduce(into: [:]) { $0[$1] = FileEntry(path($1)) }
    }
}
