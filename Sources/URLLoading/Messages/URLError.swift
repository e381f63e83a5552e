public import FoundationEssentials
import SystemPackage

/// The client-side error of a task, never an HTTP status.
public struct URLError: Error, Sendable, Hashable {
    /// The kind of error, with Foundation's numbers.
    public var code: Code
    /// The details of this error, as text without secrets; empty if the code is sufficient.
    public var detail: String
    /// The URL that the task loaded.
    public var failingURL: URL?
    /// The resume data of a failed download, for `downloadTask(withResumeData:)`; `nil`: the download
    /// can only start over.
    ///
    /// Foundation's `NSURLSessionDownloadTaskResumeData`.
    public var downloadTaskResumeData: Data?
    /// The certificates of an untrusted server; `nil` for other errors.
    ///
    /// Foundation's `NSURLErrorFailingURLPeerTrustErrorKey`.
    public var failureURLPeerTrust: ServerTrust?
    /// The expected and the actual digest of the body; `nil` for other errors.
    ///
    /// Not in Foundation.
    public var digestMismatch: DigestMismatch?
    /// How far the request got; `nil` if there was no request, or the details are unknown.
    ///
    /// Not in Foundation.
    public var failedRequest: FailedRequest?
    /// The operating system's ``Errno``, if it caused the error.
    package var systemError: CInt?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - detail: the details of this error, as text.
    ///   - failingURL: the URL that the task loaded.
    public init(_ code: Code, detail: String = "", failingURL: URL? = nil) {
        self.code = code
        self.detail = code.redacted(detail)
        self.failingURL = failingURL
    }

    /// Creates the error of a failed file operation.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - path: the path of the file, or a longer description.
    ///   - error: the cause; an `Errno` keeps its number.
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

extension URLError {
    /// The error of a task for which the time of the whole task is over.
    static let wholeTimeout = URLError(
        .timedOut,
        detail: "the time limit for the whole task was reached"
    )

    /// Whether the time of the whole task is over, and not only that of a silent connection.
    package var isWholeTimeout: Bool {
        code == .timedOut && detail.hasBytes(of: Self.wholeTimeout.detail)
    }
}

extension URLError: CustomStringConvertible {
    /// The text, with Foundation's name and number.
    public var description: String {
        "\(localizedDescription) (URLError.\(code) \(code.rawValue))"
    }
}
