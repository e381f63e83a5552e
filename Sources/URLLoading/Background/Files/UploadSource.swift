import FoundationEssentials

/// What an upload of a background session sends, hours or days after it was made.
///
/// A program that has queued a file expects that file to be sent, and not what became of it. So where
/// that costs nothing, or little, there is a copy; where it would cost much the file itself is sent,
/// and the task fails if that has changed meanwhile: never is a mixture called a success.
enum UploadSource: Codable, Hashable, Sendable {
    /// The session's own copy, whose blocks may be shared with the file.
    case copy(BackgroundFile)
    /// The file itself, as it was, with the time of its last change, nanoseconds since 1970.
    case original(BackgroundFile, modified: Int64)

    /// The file to send.
    var file: BackgroundFile {
        switch self {
        case .copy(let file), .original(let file, _): file
        }
    }

    /// Makes sure that it is still what it was; before it is sent, and after.
    ///
    /// Throws `cannotOpenFile`, or `fileDoesNotExist`.
    func check() throws(URLError) {
        let status = FileStatus(file.path)
        guard let now = status?.identity else {
            throw URLError(.fileDoesNotExist, detail: "\(file.path), which was to be sent")
        }
        var isSame =
            now.device == file.device && now.inode == file.inode && now.size == file.size
        if case .original(_, let modified) = self { isSame = isSame && now.modified == modified }
        guard isSame else {
            throw URLError(
                .cannotOpenFile,
                detail: "\(file.path) is not any more what was to be sent: it has changed since"
            )
        }
    }
}
