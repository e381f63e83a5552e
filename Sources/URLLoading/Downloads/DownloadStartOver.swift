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
            "the server sent other bytes than those asked for (\(words))"
        case .partialFileChanged: "the partial file is not the one that was stored"
        case .differentURL: "the partial file is of another URL"
        case .digestMismatch(let mismatch):
            "what has come of the file is not what it was to be (\(mismatch))"
        }
    }
}
