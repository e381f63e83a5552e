package import Glibc
import Synchronization
package import SystemPackage

/// Decides which files of a folder we may use although other users can write to the folder.
///
/// In such a folder we use a link, a FIFO or a file only if it belongs to this user or to the folder's
/// owner. That is the kernel's rule for open(2): `protected_symlinks`, `protected_fifos` and
/// `protected_regular` in [proc_sys_fs(5)](https://man7.org/linux/man-pages/man5/proc_sys_fs.5.html). Here
/// the rule applies regardless of those settings, and also to readlink(2) and rename(2), which the kernel
/// does not restrict.
package struct FolderTrust: Sendable {
    private let owner: uid_t
    /// Whether other users than the owner may create files in the folder.
    package let isShared: Bool

    /// Examines a folder; `nil` where it does not exist.
    package init?(_ folder: String) {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        owner = status.st_uid
        isShared = status.st_mode & (S_ISVTX | S_IWGRP | S_IWOTH) != 0
    }

    /// Whether a file belongs to this user or to the folder's owner, or no other user can write to the
    /// folder.
    package func trusts(_ status: stat) -> Bool {
        !isShared || status.st_uid == geteuid() || status.st_uid == owner
    }

    /// Checks the file at a path, without following a link.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - acceptsFolder: whether a folder of any owner is accepted, because the user has named it.
    /// - Returns: its status; `nil` where no file exists.
    /// - Throws: ``ForeignFile`` if we must not use the file.
    package static func check(
        _ path: String,
        acceptsFolder: Bool = true
    ) throws(ForeignFile) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard status.st_uid != geteuid(), !isFolder || !acceptsFolder && status.st_uid != 0,
            let folder = FolderTrust(Self.folder(of: path))
        else { return status }
        guard folder.trusts(status) else { throw ForeignFile(path: path, mode: status.st_mode) }
        return status
    }

    /// Checks that we may write to an open file under its path.
    ///
    /// Throws ``ForeignFile`` otherwise. It also refuses a file of this user with a second hard link,
    /// because another user may have created this link.
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

    /// The folder of a path's last component.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

/// A file of another user, in a folder that others can write to.
package struct ForeignFile: Error, CustomStringConvertible {
    package let path: String
    fileprivate let mode: mode_t
    /// Whether it has a second hard link.
    fileprivate var isLinked = false
    /// Whether it has replaced a folder of this user's.
    fileprivate var isReplacement = false

    /// The reason for the refusal, without the path.
    package var reason: String {
        if isReplacement {
            return "belongs to another user: that user has replaced your folder during the run"
        }
        let kind =
            switch mode & S_IFMT {
            case S_IFLNK: "is a symbolic link of another user, which is not followed"
            case S_IFIFO: "is a named pipe of another user"
            case S_IFREG where isLinked: "has a second hard link"
            case S_IFREG, S_IFDIR: "belongs to another user"
            default: "was made by another user"
            }
        let place = "\(kind), in a folder that others can write to"
        return mode & S_IFMT == S_IFDIR ? "\(place), and the user has not named it" : place
    }

    package var description: String { "\(path) \(reason)" }
}

extension FolderTrust {
    /// The most links to follow in one path, as in the kernel.
    private static let linkLimit = 40

    /// Resolves all symbolic links of a path, as realpath(3) does, under this type's rule.
    ///
    /// - Returns: the path without links; `nil` where a component does not exist.
    /// - Throws: ``ForeignFile`` at a link that we must not follow.
    package static func resolve(_ path: String) throws(ForeignFile) -> String? {
        let absolute = AbsolutePath.of(path)
        // A working folder whose path cannot be written is not resolved.
        let base = Array(AbsolutePath.openFolder.utf8)
        var resolved: [UInt8] =
            absolute.startsWithBytes(of: AbsolutePath.openFolder + "/") ? base : []
        // The components that remain, in reverse order.
        var names = Self.names(Substring(absolute.utf8.dropFirst(resolved.count)))
        var links = 0
        while let name = names.popLast() {
            if name == [UInt8(ascii: ".")] { continue }
            let isParent = name == [UInt8(ascii: "."), UInt8(ascii: ".")]
            if isParent, !resolved.starts(with: base) {
                resolved.removeLast(resolved.reversed().prefix { $0 != UInt8(ascii: "/") }.count)
                _ = resolved.popLast()
                continue
            }
            let next = resolved + [UInt8(ascii: "/")] + name
            guard let nextPath = String(validating: next, as: UTF8.self),
                let status = try check(nextPath)
            else { return nil }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                resolved = next
                continue
            }
            links += 1
            guard links <= linkLimit, let target = target(ofLink: nextPath) else { return nil }
            if target.utf8.first == UInt8(ascii: "/") { resolved = [] }
            names += Self.names(target[...])
        }
        return resolved.isEmpty ? "/" : String(decoding: resolved, as: UTF8.self)
    }

    /// Checks the path of a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder; only existing components are checked.
    ///   - foldersOfURL: how many of its last components the user has not named.
    /// - Throws: ``ForeignFile`` for another user's link in a folder that others can write to, and for such a
    ///   folder that the user has not named.
    package static func check(folder: String, foldersOfURL: Int) throws(ForeignFile) {
        _ = try resolve(folder)
        var place = folder
        for _ in 0..<foldersOfURL {
            _ = try check(place, acceptsFolder: false)
            place = Self.folder(of: place)
        }
    }

    /// The first component of a path that belongs to neither this user nor root, from the end.
    fileprivate static func foreignComponent(of path: String) -> ForeignFile? {
        var place = AbsolutePath.of(path)
        while place != "/" {
            var status = stat()
            if lstat(place, &status) == 0, ![0, geteuid()].contains(status.st_uid) {
                return ForeignFile(path: place, mode: status.st_mode, isReplacement: true)
            }
            place = folder(of: place)
        }
        return nil
    }

    /// Whether another user could replace a folder by another one, or by a link.
    ///
    /// - Parameter path: the path of the folder.
    /// - Returns: whether it, or a folder above it, belongs to another user than root, or others can rename
    ///   it.
    package static func isExposed(_ path: String) -> Bool {
        guard var place = try? resolve(path) else { return true }
        var isBelow = false
        while true {
            var status = stat()
            guard lstat(place, &status) == 0, [0, geteuid()].contains(status.st_uid) else {
                return true
            }
            // In a sticky folder, other users cannot rename what is this user's or root's.
            if isBelow, status.st_mode & (S_IWGRP | S_IWOTH) != 0, status.st_mode & S_ISVTX == 0 {
                return true
            }
            guard place != "/" else { return false }
            place = folder(of: place)
            isBelow = true
        }
    }

    private static func names(_ path: Substring) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { Array($0) }
    }

    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { space in
            guard let start = space.baseAddress else { return nil }
            let count = readlink(path, start, space.count)
            guard count > 0, count < space.count else { return nil }
            return String(validating: UnsafeRawBufferPointer(space).prefix(count), as: UTF8.self)
        }
    }
}

/// Folders whose paths were checked.
///
/// A folder that another user can replace is checked again before each new file.
package final class CheckedFolders: Sendable {
    /// What was found at the first check.
    private enum Finding {
        /// No other user can replace the folder.
        case lasting
        /// Another user can. `isOwn`: no component of its path belonged to one.
        case exposed(isOwn: Bool)
    }

    private let findings = Mutex<[ExactText: Finding]>([:])

    package init() {}

    /// Whether the folder need not be checked again.
    package func contains(_ folder: String) -> Bool {
        if case .lasting? = findings.withLock({ $0[ExactText(folder)] }) { true } else { false }
    }

    /// Checks the path of a folder, unless it is known to last.
    ///
    /// - Parameters:
    ///   - folder: the folder, which may not exist.
    ///   - foldersOfURL: how many of its last components the user has not named.
    /// - Throws: ``ForeignFile`` if we must not use the folder, or if another user has replaced a component of
    ///   its path since the first check.
    package func check(_ folder: String, foldersOfURL: Int) throws(ForeignFile) {
        // The working directory stays the same folder, whatever name it gets.
        guard folder != "." else { return }
        let finding = findings.withLock { $0[ExactText(folder)] }
        if case .lasting? = finding { return }
        try FolderTrust.check(folder: folder, foldersOfURL: foldersOfURL)
        if case .exposed(isOwn: true)? = finding {
            if let other = FolderTrust.foreignComponent(of: folder) { throw other }
        } else if finding == nil, FolderTrust(folder) != nil {
            let isOwn = FolderTrust.foreignComponent(of: folder) == nil
            let found: Finding =
                FolderTrust.isExposed(folder) ? .exposed(isOwn: isOwn) : .lasting
            findings.withLock { $0[ExactText(folder)] = found }
        }
    }
}

/// Writes a folder's entries to the disk; until then a rename may be lost in a power failure.
package enum FolderSync {
    /// Writes the folder of a file to the disk.
    ///
    /// May wait for the disk. Called after a rename to a final name, by background sessions and foreground
    /// downloads. A failure is not an error of the file, which already has its final name.
    ///
    /// - Parameter path: the file's path, absolute or not.
    /// - Returns: whether the kernel confirms the write; `false` where the folder is not readable, or
    ///   its file system does not support this.
    @discardableResult
    package static func synchronize(folderOf path: String) -> Bool {
        synchronize(FolderTrust.folder(of: path))
    }

    static func synchronize(_ folder: String) -> Bool {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return fsync(number) == 0
    }
}
