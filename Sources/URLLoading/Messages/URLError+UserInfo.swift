public import FoundationEssentials

// The parts of Foundation's `NSError`: domain, code and text are available with `import Foundation`,
// the dictionary with the product URLLoadingFoundation.
extension URLError {
    // swift-format-ignore: NoLeadingUnderscores
    /// `NSURLErrorDomain`: the domain of `error as NSError`.
    public var _domain: String { Self.errorDomain }

    // swift-format-ignore: NoLeadingUnderscores
    /// Foundation's number: the code of `error as NSError`.
    public var _code: Int { errorCode }

    /// Creates an error, as in Foundation.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - userInfo: the failing URL, the resume data, and the text, under Foundation's keys, as in
    ///     ``userInfo``; it ignores other keys.
    public init(_ code: Code, userInfo: [String: Any]) {
        let text = userInfo[NSURLErrorFailingURLStringErrorKey] as? String
        let words = userInfo["NSLocalizedDescription"] as? String ?? ""
        self.init(
            code,
            detail: Self.detail(of: words, code),
            failingURL: userInfo[NSURLErrorFailingURLErrorKey] as? URL
                ?? text.flatMap { URL(string: $0) }
        )
        downloadTaskResumeData = userInfo[NSURLSessionDownloadTaskResumeData] as? Data
        failureURLPeerTrust = userInfo[NSURLErrorFailingURLPeerTrustErrorKey] as? ServerTrust
    }

    /// The detail in a localized description of an error with this code.
    private static func detail(of words: String, _ code: Code) -> String {
        guard words.startsWithBytes(of: code.words) else { return words }
        let rest = words.utf8.dropFirst(code.words.utf8.count)
        if rest.isEmpty { return "" }
        return rest.starts(with: ": ".utf8) ? String(Substring(rest.dropFirst(2))) : words
    }

    /// The error's values under Foundation's keys: `NSLocalizedDescriptionKey`,
    /// `NSURLErrorFailingURLErrorKey`, `NSURLErrorFailingURLStringErrorKey`,
    /// `NSURLSessionDownloadTaskResumeData`, and `NSURLErrorFailingURLPeerTrustErrorKey`, whose value
    /// is a ``ServerTrust`` here.
    public var userInfo: [String: Any] {
        var info: [String: Any] = ["NSLocalizedDescription": localizedDescription]
        info[NSURLErrorFailingURLErrorKey] = failingURL
        info[NSURLErrorFailingURLStringErrorKey] = failureURLString
        info[NSURLSessionDownloadTaskResumeData] = downloadTaskResumeData
        info[NSURLErrorFailingURLPeerTrustErrorKey] = failureURLPeerTrust
        return info
    }

    /// The URL that the task loaded, as text.
    public var failureURLString: String? { failingURL?.absoluteString }
}

extension URLError: LocalizedError {
    /// The same as ``localizedDescription``; `any Error` uses it with Foundation imported.
    public var errorDescription: String? { localizedDescription }
}
