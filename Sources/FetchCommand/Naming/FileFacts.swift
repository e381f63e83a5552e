import Glibc
import SystemPackage
import URLLoading

/// What is at a path, after symbolic links.
enum FileFacts {
    /// The file's type: `S_IFREG` and so on; `nil` if nothing exists there.
    static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    static func exists(_ path: String) -> Bool { kind(of: path) != nil }

    static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    /// Whether it is a device, a pipe or a socket, whose length is unknown.
    static func isSpecial(_ path: String) -> Bool {
        kind(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    /// A readable file's length; `nil` if it is not a regular file.
    static func readable(_ path: String) throws(UsageError) -> Int64? {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        guard !isThere || kind != S_IFDIR else { throw .file(path: path, "is a directory") }
        guard isThere, access(path, R_OK) == 0 else {
            throw .file(path: path, "\(Errno(rawValue: errno))")
        }
        return kind == S_IFREG ? Int64(status.st_size) : nil
    }

    /// The path after its symbolic links, if any; throws for a foreign file in a shared folder.
    static func target(of path: String) throws(UsageError) -> String? {
        try mapError(FolderTrust.resolve(path).map(AbsolutePath.lasting)) { (error: ForeignFile) in
            UsageError.file(path: error.path, error.reason)
        }
    }
}

/// The identity of the file that a path or a descriptor leads to, whatever its name.
///
/// Nothing is opened or changed. A missing file is identified by its folder and its name.
struct FilePlace: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t
    /// The name in the folder; `nil` if the numbers are those of the file itself.
    private let name: String?
    /// The file's type: `S_IFREG` and so on.
    let kind: mode_t

    /// The file that opening the path would open or create; `nil` if the folder does not exist.
    init?(_ path: String, followsLink: Bool = true) {
        var status = stat()
        if (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 {
            self.init(status, name: nil)
            return
        }
        guard stat(FolderTrust.folder(of: path), &status) == 0 else { return nil }
        self.init(status, name: FileName.lastComponent(ofPath: path))
    }

    /// The file at a path, without following a link; `nil` if there is none.
    init?(ofFile path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status, name: nil)
    }

    /// The file behind a descriptor; `nil` if the descriptor is not open.
    init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, name: nil)
    }

    private init(_ status: stat, name: String?) {
        device = status.st_dev
        inode = status.st_ino
        self.name = name
        kind = name == nil ? status.st_mode & S_IFMT : S_IFREG
    }

    /// Whether two writers would corrupt each other; `false` for terminals and `/dev/null`.
    var retainsWrites: Bool { kind != S_IFCHR }

    /// Whether a reader receives the bytes that are written; a socket's directions are separate.
    var returnsWrites: Bool { retainsWrites && kind != S_IFSOCK }
}

enum FileContent {
    /// Reads a file to its end; a file of more bytes than the limit is refused.
    static func bytes(of path: String, limit: Int = .max) throws(UsageError) -> [UInt8] {
        let length = try FileFacts.readable(path)
        do {
            guard length ?? 0 <= Int64(limit) else { throw Errno.fileTooLarge }
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            let bytes = try file.closeAfter {
                try file.readToEnd(limit: limit, expected: Int(clamping: length ?? 0))
            }
            guard let bytes else { throw Errno.fileTooLarge }
            return bytes
        } catch {
            throw .file(path: path, "\(error as? Errno ?? .ioError)")
        }
    }
}
