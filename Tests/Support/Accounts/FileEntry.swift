public import Foundation

/// What is at a name: kind, rights, and what is in it.
///
/// Two are equal where nothing has been changed; the number of names does not count.
public struct FileEntry: Sendable, Equatable, CustomStringConvertible {
    /// `S_IFREG` and so on.
    public let kind: mode_t
    /// The permission bits, with set-user-id and the like.
    public let mode: mode_t
    /// The owner.
    public let user: uid_t
    /// The group.
    public let group: gid_t
    /// Which file it is.
    public let inode: ino_t
    /// How many names it has.
    public let names: Int
    /// A regular file's bytes, or the path in a symbolic link; empty for all else.
    public let content: [UInt8]

    /// Looks at a name, without following a symbolic link; `nil` where nothing has it.
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

    /// Whether both are the same thing unchanged.
    public static func == (one: FileEntry, other: FileEntry) -> Bool {
        one.kind == other.kind && one.mode == other.mode && one.user == other.user
            && one.group == other.group && one.inode == other.inode
            && one.content == other.content
    }

    /// As in a long listing, with the first bytes of what is in it.
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
    /// All that is in the folder, and in those in it, by its path from here.
    public func entries() -> [String: FileEntry] {
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return found.reduce(into: [:]) { $0[$1] = FileEntry(path($1)) }
    }
}
