import Glibc
import URLLoading

/// The files that a body is made of, as they were when it was first sent: a second one must be the
/// same.
struct SentFiles: Equatable, Sendable {
    /// Which file it is, in which state.
    private struct Mark: Equatable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        /// Nanoseconds since 1970.
        var modified: Int64
    }

    /// By path; nil where there is not a regular file, and what comes out of it is kept elsewhere.
    private let marks: [String: Mark?]

    /// Looks at the files of a body.
    init(of body: BodyPlan) {
        var marks: [String: Mark?] = [:]
        for path in body.filePaths { marks.updateValue(Self.mark(path), forKey: path) }
        self.marks = marks
    }

    /// Looks again.
    ///
    /// Throws `requestBodyStreamExhausted` where one is no longer what it was.
    func check() throws(URLError) {
        for (path, mark) in marks where Self.mark(path) != mark {
            throw URLError(
                .requestBodyStreamExhausted,
                detail: "\(path) has changed since it was first sent"
            )
        }
    }

    private static func mark(_ path: String) -> Mark? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Mark(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: status.st_mtim.nanoseconds
        )
    }
}

extension BodyPlan {
    /// The files that it is read from while it is sent.
    fileprivate var filePaths: [String] {
        switch self {
        case .none, .data: []
        case .standardInput: ["/dev/stdin"]
        case .file(let path, _), .rest(let path, _, _): [path]
        case .form(let form):
            form.segments.compactMap { segment in
                switch segment {
                case .bytes: nil
                case .file(let path, _): path
                case .standardInput: "/dev/stdin"
                }
            }
        }
    }
}
