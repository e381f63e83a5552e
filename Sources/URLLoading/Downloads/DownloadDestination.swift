public import FoundationEssentials

/// Where the session writes the bytes of a download while they arrive.
public enum DownloadDestination: Sendable, Hashable {
    /// A file with a random name in the session's folder for temporary files, mode 0600.
    case temporary
    /// This file, locked against other processes, and emptied if it exists. The task refuses a symbolic
    /// link.
    ///
    /// A failed download leaves the file in place where a later task can continue it, and removes it
    /// otherwise. `permissions` are the mode of a new file, before the process's umask. With
    /// `keepsResumeData` a later run of the program can continue the download. The task writes the resume
    /// data beside the file, with `.resume` added to the name: after one second, then at most once a second,
    /// and when the download fails.
    case partFile(URL, permissions: UInt16 = 0o666, keepsResumeData: Bool = false)
}

extension DownloadDestination {
    /// Whether the destination is the partial file of the resume data.
    func isFile(of data: ResumeData) -> Bool {
        guard case .partFile(let file, _, _) = self, case .partFile(let path) = data.file else {
            return false
        }
        return AbsolutePath.of(file.filePath) == path
    }
}

/// Why a download that was to be continued restarts at its first byte.
///
/// Not in Foundation.
public enum DownloadStartOver: Sendable, Hashable {
    /// The server's file has changed since the partial file was received.
    case entityChanged
    /// The server ignores range requests and sends the whole file.
    case rangesNotSupported
    /// The server sent another range than the requested one; the value is its `Content-Range` field.
    case unexpectedRange(String)
    /// The file on the disk is not the one that the resume data describes.
    case partialFileChanged
    /// The resume data belongs to another URL.
    case differentURL
    /// The received file, or one of its parts, does not match its expected digest.
    case digestMismatch(DigestMismatch)
}

extension DownloadStartOver: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .entityChanged: "the file on the server has changed"
        case .rangesNotSupported: "the server does not support byte ranges"
        case .unexpectedRange(let words): "the server sent other bytes than requested (\(words))"
        case .partialFileChanged: "the partial file has changed"
        case .differentURL: "the partial file belongs to another URL"
        case .digestMismatch(let mismatch):
            "the received file does not match its digest (\(mismatch))"
        }
    }
}

/// Why a download uses fewer streams than it may.
///
/// Not in Foundation.
public enum DownloadSplitLimit: Sendable, Hashable {
    /// The file is too small.
    case tooSmall
    /// The server does not announce range requests, or does not serve them.
    case rangesNotSupported
    /// The server sends no length, or no strong validator.
    case notIdentified
    /// The server's file has changed, or another server of the same name has a different one.
    case entityChanged
    /// The server sent another range than the requested one; the value is its `Content-Range` field.
    case unexpectedRange(String)
    /// The server responded with this status.
    case refused(Int)
    /// A connection failed, or delivered no bytes.
    case failed(URLError.Code)
}

extension DownloadSplitLimit: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .tooSmall: "it is too small"
        case .rangesNotSupported: "the server does not support byte ranges"
        case .notIdentified: "the server sends no validator for its parts"
        case .entityChanged: "the file on the server has changed"
        case .unexpectedRange(let words): "the server sent other bytes than requested (\(words))"
        case .refused(let status): "the server responded with status \(status)"
        case .failed(let code): "a connection failed (\(code))"
        }
    }
}
