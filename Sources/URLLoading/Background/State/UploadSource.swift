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
        let (file, status) = try FileStatus.open(path, .noFollow)
        try? file.close()
        self = .original(BackgroundFile(path, status.identity), modified: status.identity.modified)
    }

    /// Copies the file if that costs little, or returns this source; may wait for the disk.
    func copied(to path: String, copyLimit: Int64 = copyLimit) -> UploadSource {
        guard case .original(let original, let modified) = self,
            let (source, status) = try? FileStatus.open(original.path, .noFollow)
        else { return self }
        defer { try? source.close() }
        let before = status.identity
        guard BackgroundFile(original.path, before) == original, modified == before.modified
        else { return self }
        unlink(path)
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { return self }
        defer { close(target) }
        let isCopied =
            linux_clone_file(target, source.rawValue) == 0
            || before.size <= copyLimit && Self.copy(source.rawValue, to: target, before.size)
        // A copy of a file that another program was writing is neither the old nor the new file.
        let after = FileStatus(descriptor: source.rawValue)?.identity
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
            let count = linux_copy_file_range(source, target, Int(clamping: left))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            left -= Int64(count)
        }
        return true
    }
}
