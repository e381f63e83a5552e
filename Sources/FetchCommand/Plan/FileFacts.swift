import Glibc
import SystemPackage
import URLLoading

/// What the file system says about a path.
///
/// Symbolic links are followed; nothing is opened or changed.
struct FileFacts: Equatable {
    /// What is there.
    enum Kind: Equatable {
        case regular
        case directory
        /// A device, a pipe or a socket: its length is not known.
        case other
    }

    let kind: Kind
    /// In bytes; of meaning only for a regular file.
    let size: Int64

    /// Asks stat(2).
    ///
    /// Throws `Errno`, which is `noSuchFileOrDirectory` where nothing is.
    init(path: String) throws(Errno) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Errno(rawValue: Glibc.errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        size = Int64(status.st_size)
    }

    /// The facts of what must be there.
    static func required(_ path: String) throws(FileFailure) -> FileFacts {
        do throws(Errno) {
            return try FileFacts(path: path)
        } catch {
            throw FileFailure(path: path, reason: .system(error))
        }
    }

    /// A file's length, or nil where it has none to tell, after seeing that it may be read.
    static func readable(_ path: String) throws(FileFailure) -> Int64? {
        let facts = try required(path)
        guard facts.kind != .directory else {
            throw FileFailure(path: path, reason: .isDirectory)
        }
        guard access(path, R_OK) == 0 else {
            throw FileFailure(path: path, reason: .system(Errno(rawValue: Glibc.errno)))
        }
        return facts.kind == .regular ? facts.size : nil
    }

    /// What a path leads to once its symbolic links are followed; `nil` where it leads nowhere.
    ///
    /// Throws where a file of another user's, in a folder that others can write to, has a say in it.
    static func target(of path: String) throws(FileFailure) -> String? {
        do throws(ForeignFile) {
            return try FolderTrust.resolve(path)
        } catch {
            throw FileFailure(path: error.path, reason: .flawed(error.reason))
        }
    }

    /// Whether anything can be reached by the path.
    static func exists(_ path: String) -> Bool {
        (try? FileFacts(path: path)) != nil
    }

    /// Whether a regular file is there, whose mode and owner the one has that replaces it.
    static func isFile(_ path: String) -> Bool {
        (try? FileFacts(path: path))?.kind == .regular
    }
}
