public import FoundationEssentials

/// Where the bytes of a download go while they come.
public enum DownloadDestination: Sendable, Hashable {
    /// A file of no meaning in the session's folder for temporary files, mode 0600.
    case temporary
    /// Just this file, made with the process's umask, locked against other processes, and emptied
    /// if it is there. A symbolic link there is refused, never followed.
    ///
    /// A download that fails leaves it there where it can be continued, and removes it where not.
    /// `permissions` are those it is made with, under the process's umask. With `keepsResumeData` a
    /// later run of the program can continue the download. Its resume data is written beside the
    /// file, with `.resume` added to the name: after a second, then at most once a second, and when
    /// it fails.
    case partFile(URL, permissions: UInt16 = 0o666, keepsResumeData: Bool = false)
}

extension DownloadDestination {
    /// Whether it is the very file of which there is a part.
    func isFile(of data: ResumeData) -> Bool {
        guard case .partFile(let file, _, _) = self, case .partFile(let path) = data.file else {
            return false
        }
        return AbsolutePath.of(file.filePath) == path
    }
}

/// Why a download that was to be continued begins again at its first byte.
///
/// Not in Foundation.
public enum DownloadStartOver: Sendable, Hashable {
    /// The server's file is no longer the one of which there is a part.
    case entityChanged
    /// The server sends the whole file, whatever is asked for.
    case rangesNotSupported
    /// The server sent other bytes than those that were asked for; its words.
    case unexpectedRange(String)
    /// What is on the disk is not the part that the resume data speaks of.
    case partialFileChanged
    /// The resume data belongs to another URL.
    case differentURL
    /// The part and its rest have come together, or one of several parts has come, and are not what
    /// they were to be.
    case digestMismatch(DigestMismatch)
}

extension DownloadStartOver: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .entityChanged: "the file on the server has changed"
        case .rangesNotSupported: "the server does not continue files"
        case .unexpectedRange(let words):
            "the server sent other bytes than requested (\(words))"
        case .partialFileChanged: "the partial file is not the one that was stored"
        case .differentURL: "the partial file belongs to another URL"
        case .digestMismatch(let mismatch):
            "the received file does not match its digest (\(mismatch))"
        }
    }
}

/// Why a download comes in fewer streams than it might.
///
/// Not in Foundation.
public enum DownloadSplitLimit: Sendable, Hashable {
    /// It is too small to be worth it.
    case tooSmall
    /// The server does not say that it sends parts, or does not send them.
    case rangesNotSupported
    /// The server does not say how long it is, or has nothing to know this state of it by for
    /// certain.
    case notIdentified
    /// The server has another state of the file meanwhile, or another one elsewhere.
    case entityChanged
    /// The server sent other bytes than those that were asked for; its words.
    case unexpectedRange(String)
    /// The server responded with this status.
    case refused(Int)
    /// A connection failed, or brought nothing.
    case failed(URLError.Code)
}

extension DownloadSplitLimit: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .tooSmall: "it is too small"
        case .rangesNotSupported: "the server does not send parts"
        case .notIdentified: "the server sends no validator for its parts"
        case .entityChanged: "the file on the server has changed"
        case .unexpectedRange(let words):
            "the server sent other bytes than requested (\(words))"
        case .refused(let status): "the server responded \(status)"
        case .failed(let code): "a connection failed (\(code))"
        }
    }
}
