package import Glibc
package import SystemPackage

/// Which files of a folder may be used although other users can write to the folder.
///
/// In such a folder a link, a FIFO or a file is used only if it belongs to this user or to the
/// folder's owner. That is the kernel's rule for open(2), `protected_symlinks`, `protected_fifos` and
/// `protected_regular` in
/// [proc_sys_fs(5)](https://man7.org/linux/man-pages/man5/proc_sys_fs.5.html). It holds here whatever
/// those settings say, and for readlink(2) and rename(2), which the kernel leaves alone.
package struct FolderTrust: Sendable {
    private let owner: uid_t
    /// Whether other users than the owner may make files here.
    package let isShared: Bool

    /// Examines a folder; `nil` where there is none.
    package init?(_ folder: String) {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        owner = status.st_uid
        isShared = status.st_mode & (S_ISVTX | S_IWGRP | S_IWOTH) != 0
    }

    /// Whether what is there belongs to this user, to the folder's owner, or is out of others' reach.
    package func trusts(_ status: stat) -> Bool {
        !isShared || status.st_uid == geteuid() || status.st_uid == owner
    }

    /// Looks at what is at a path, and does not follow a link there.
    ///
    /// - Returns: its status; `nil` where nothing is there.
    /// - Throws: ``ForeignFile`` where it may not be used. A folder always may.
    package static func check(_ path: String) throws(ForeignFile) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_uid != geteuid(), status.st_mode & S_IFMT != S_IFDIR,
            let folder = FolderTrust(Self.folder(of: path))
        else { return status }
        guard folder.trusts(status) else { throw ForeignFile(path: path, mode: status.st_mode) }
        return status
    }

    /// Sees that an open file may be written to under its path.
    ///
    /// Throws ``ForeignFile`` where it may not: then also where it is the user's own, and another
    /// user may have given it this name as a second one.
    package static func check(_ descriptor: FileDescriptor, at path: String) throws(ForeignFile) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { return }
        let isLinked = status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1
        guard status.st_uid != geteuid() || isLinked,
            let folder = FolderTrust(Self.folder(of: path)),
            !folder.trusts(status) || isLinked && folder.isShared
        else { return }
        throw ForeignFile(path: path, mode: status.st_mode, isLinked: isLinked)
    }

    /// The folder that a path's last name is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }
}

/// A file of another user's, in a folder that others can write to.
package struct ForeignFile: Error, CustomStringConvertible {
    /// Where it is.
    package let path: String
    /// Its type and permissions.
    fileprivate let mode: mode_t
    /// Whether it has a second hard link.
    fileprivate var isLinked = false

    /// What is wrong with it, without its path.
    package var reason: String {
        let kind =
            switch mode & S_IFMT {
            case S_IFLNK: "is a symbolic link of another user, which is not followed"
            case S_IFIFO: "is a named pipe of another user"
            case S_IFREG where isLinked: "has a second hard link"
            case S_IFREG: "belongs to another user"
            default: "was made by another user"
            }
        return "\(kind), in a folder that others can write to"
    }

    package var description: String { "\(path) \(reason)" }
}

extension FolderTrust {
    /// The most links that are followed in one path, as in the kernel.
    private static let linkLimit = 40

    /// Follows all symbolic links of a path, as realpath(3) does, under this type's rule.
    ///
    /// - Returns: the path without links; `nil` where it leads nowhere.
    /// - Throws: ``ForeignFile`` at a link that may not be followed.
    package static func resolve(_ path: String) throws(ForeignFile) -> String? {
        var resolved: [UInt8] = []
        // The names that are still to be looked at, the next one last.
        var names = Self.names(AbsolutePath.of(path))
        var links = 0
        while let name = names.popLast() {
            if name == [UInt8(ascii: ".")] { continue }
            if name == [UInt8(ascii: "."), UInt8(ascii: ".")] {
                resolved.removeLast(resolved.reversed().prefix { $0 != UInt8(ascii: "/") }.count)
                _ = resolved.popLast()
                continue
            }
            let next = resolved + [UInt8(ascii: "/")] + name
            let nextPath = String(decoding: next, as: UTF8.self)
            guard let status = try check(nextPath) else { return nil }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                resolved = next
                continue
            }
            links += 1
            guard links <= linkLimit, let target = target(ofLink: nextPath) else { return nil }
            if target.utf8.first == UInt8(ascii: "/") { resolved = [] }
            names += Self.names(target)
        }
        return resolved.isEmpty ? "/" : String(decoding: resolved, as: UTF8.self)
    }

    /// The names in a path, the first one last.
    private static func names(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { Array($0) }
    }

    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { space in
            guard let start = space.baseAddress else { return nil }
            let count = readlink(path, start, space.count)
            guard count > 0, count < space.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(space).prefix(count), as: UTF8.self)
        }
    }
}

/// Brings a folder's entries to the disk: a rename is on the disk only when its folder is.
package enum FolderSync {
    /// Brings the folder that holds a file to the disk.
    ///
    /// May wait for the disk. Called after a rename to a final name, by background sessions and by
    /// foreground downloads alike. The rename has happened either way, so a failure is none of the
    /// file's.
    ///
    /// - Parameter path: the file's path, absolute or not.
    /// - Returns: whether the kernel says that it is there; `false` where the folder may not be
    ///   read, or where its file system cannot do it.
    @discardableResult
    package static func synchronize(folderOf path: String) -> Bool {
        let number = open(FolderTrust.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return fsync(number) == 0
    }
}
