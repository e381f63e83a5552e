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
    /// The server answered with this status.
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
        case .notIdentified: "the server does not say what its parts are known by"
        case .entityChanged: "the file on the server has changed"
        case .unexpectedRange(let words):
            "the server sent other bytes than those asked for (\(words))"
        case .refused(let status): "the server answered \(status)"
        case .failed(let code): "a connection failed (\(code))"
        }
    }
}
