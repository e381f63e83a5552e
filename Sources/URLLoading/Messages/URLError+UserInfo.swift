public import FoundationEssentials

// What an `NSError` of Foundation's has: domain, code and words come with `import Foundation` alone, the
// dictionary with the product URLLoadingFoundation.
extension URLError {
    // swift-format-ignore: NoLeadingUnderscores
    /// `NSURLErrorDomain`: what `error as NSError` has for its domain.
    public var _domain: String { Self.errorDomain }

    // swift-format-ignore: NoLeadingUnderscores
    /// Foundation's number: what `error as NSError` has for its code.
    public var _code: Int { errorCode }

    /// Makes an error, as in Foundation.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - userInfo: the failing URL, the resume data, and words, under Foundation's keys, as in
    ///     ``userInfo``; an error holds nothing under other keys.
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

    /// What words say beyond the kind of error, where they are those of another error of that kind.
    private static func detail(of words: String, _ code: Code) -> String {
        guard words.startsWithBytes(of: code.words) else { return words }
        let rest = words.utf8.dropFirst(code.words.utf8.count)
        if rest.isEmpty { return "" }
        return rest.starts(with: ": ".utf8) ? String(Substring(rest.dropFirst(2))) : words
    }

    /// What is known of the error under Foundation's keys: `NSLocalizedDescriptionKey`,
    /// `NSURLErrorFailingURLErrorKey`, `NSURLErrorFailingURLStringErrorKey`,
    /// `NSURLSessionDownloadTaskResumeData`, and `NSURLErrorFailingURLPeerTrustErrorKey`, whose value is
    /// a ``ServerTrust`` here.
    public var userInfo: [String: Any] {
        var info: [String: Any] = ["NSLocalizedDescription": localizedDescription]
        info[NSURLErrorFailingURLErrorKey] = failingURL
        info[NSURLErrorFailingURLStringErrorKey] = failureURLString
        info[NSURLSessionDownloadTaskResumeData] = downloadTaskResumeData
        info[NSURLErrorFailingURLPeerTrustErrorKey] = failureURLPeerTrust
        return info
    }

    /// The URL that was being loaded, as text.
    public var failureURLString: String? { failingURL?.absoluteString }
}

extension URLError: LocalizedError {
    /// The same as ``localizedDescription``: what `any Error` says with Foundation imported.
    public var errorDescription: String? { localizedDescription }
}
