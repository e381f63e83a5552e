public import FoundationEssentials
import SystemPackage

/// What kept a task from its response: a client-side error, never an HTTP status.
public struct URLError: Error, Sendable, Hashable {
    /// The kind of error, with Foundation's numbers.
    public var code: Code
    /// What happened in this one case, in words, without secrets; empty where the code says it all.
    public var detail: String
    /// The URL that was being loaded.
    public var failingURL: URL?
    /// What it takes to continue the download that failed, for `downloadTask(withResumeData:)`;
    /// `nil` where it can only begin again.
    ///
    /// Foundation's `NSURLSessionDownloadTaskResumeData`.
    public var downloadTaskResumeData: Data?
    /// What the server has shown that was not trusted; `nil` for other errors.
    ///
    /// Foundation's `NSURLErrorFailingURLPeerTrustErrorKey`.
    public var failureURLPeerTrust: ServerTrust?
    /// What the body was to come to, and what it comes to; `nil` for other errors.
    ///
    /// Not in Foundation.
    public var digestMismatch: DigestMismatch?
    /// How far the request had come; `nil` where none was made, or nothing is known of it.
    ///
    /// Not in Foundation.
    public var failedRequest: FailedRequest?
    /// The number with which the operating system has refused, where it has, as ``Errno`` has it.
    package var systemError: CInt?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - detail: what happened in this one case, in words.
    ///   - failingURL: the URL that was being loaded.
    public init(_ code: Code, detail: String = "", failingURL: URL? = nil) {
        self.code = code
        self.detail = code.redacted(detail)
        self.failingURL = failingURL
    }

    /// Makes the error of a file that the operating system has refused.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - path: of the file, or more words that say what was refused.
    ///   - error: why; an `Errno` keeps its number.
    package init(_ code: Code, at path: String, _ error: any Error) {
        self.init(code, detail: "\(path): \(error)")
        systemError = (error as? Errno)?.rawValue
    }

    /// `NSURLErrorDomain`, as in Foundation.
    public static var errorDomain: String { "NSURLErrorDomain" }

    /// Foundation's number for the kind of error.
    public var errorCode: Int { code.rawValue }

    /// The kind of error in a few words, then the detail.
    public var localizedDescription: String {
        detail.isEmpty ? code.words : "\(code.words): \(detail)"
    }
}

extension URLError: CustomStringConvertible {
    /// The words and Foundation's name and number.
    public var description: String {
        "\(localizedDescription) (URLError.\(code) \(code.rawValue))"
    }
}
