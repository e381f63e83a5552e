import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The body of a background upload, which may be sent hours or days after the task was made.
///
/// A program expects its file to be sent as it was when the task was made. So the file is copied if a copy
/// costs little. Otherwise the file itself is sent, and the task fails if the file has changed meanwhile: a
/// mixture never counts as success.
enum UploadSource: Codable, Hashable, Sendable {
    /// The session's own copy, whose blocks may be shared with the file.
    case copy(BackgroundFile)
    /// The file itself, with the time of its last change, nanoseconds since 1970.
    case original(BackgroundFile, modified: Int64)

    var file: BackgroundFile {
        switch self {
        case .copy(let file), .original(let file, _): file
        }
    }

    /// Checks that the file is unchanged, before and after it is sent.
    func check() throws(URLError) {
        let status = FileStatus(file.path)
        guard let now = status?.identity else {
            throw URLError(.fileDoesNotExist, detail: "\(file.path), the file to upload")
        }
        var isSame = BackgroundFile(file.path, now) == file
        if case .original(_, let modified) = self { isSame = isSame && now.modified == modified }
        guard isSame else {
            throw URLError(
                .cannotOpenFile,
                detail: "\(file.path) has changed since the upload was requested"
            )
        }
    }

    /// The largest file that is copied where blocks cannot be shared, bytes.
    static let copyLimit: Int64 = 16 << 20

    /// Reads the status of a file to upload; symbolic links are resolved now, and not again.
    init(original path: String) throws(URLError) {
        guard let resolved = realpath(path, nil) else {
            throw URLError(opening: path, Errno(rawValue: errno))
        }
        defer { free(resolved) }
        guard let path = String(validatingCString: resolved) else {
            throw URLError(.cannotOpenFile, detail: "\(path): the path of its folder is not UTF-8")
        }
        // Without O_NONBLOCK, a FIFO without a writer would block the caller.
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw URLError(opening: path, Errno(rawValue: errno)) }
        defer { close(number) }
        guard let now = FileStatus(descriptor: number)?.identity else {
            var status = stat()
            let isFolder = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            throw isFolder
                ? URLError(.fileIsDirectory, detail: path)
                : URLError(.cannotOpenFile, detail: "\(path) is not a regular file")
        }
        self = .original(BackgroundFile(path, now), modified: now.modified)
    }

    /// Copies the file if that costs little, or returns this source; may wait for the disk.
    func copied(to path: String, copyLimit: Int64 = copyLimit) -> UploadSource {
        guard case .original(let original, let modified) = self else { return self }
        let source = open(original.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { return self }
        defer { close(source) }
        guard let before = FileStatus(descriptor: source)?.identity,
            BackgroundFile(original.path, before) == original, modified == before.modified
        else { return self }
        unlink(path)
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { return self }
        defer { close(target) }
        let isCopied =
            linux_clone_file(target, source) == 0
            || before.size <= copyLimit && Self.copy(source, to: target, before.size)
        // A copy of a file that another program was writing is neither the old nor the new file.
        let after = FileStatus(descriptor: source)?.identity
        guard isCopied, after?.isUnchanged(from: before) == true, fdatasync(target) == 0,
            let copied = BackgroundFile(path), copied.size == before.size
        else {
            unlink(path)
            return self
        }
        return .copy(copied)
    }

    private static func copy(_ source: CInt, to target: CInt, _ size: Int64) -> Bool {
        var left = size
        while left > 0 {
            let count = linux_copy_file_range(source, target, Int(left))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            left -= Int64(count)
        }
        return true
    }
}
