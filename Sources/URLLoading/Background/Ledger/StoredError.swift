import FoundationEssentials

/// An error as it is written down.
struct StoredError: Codable, Hashable, Error {
    /// Foundation's number.
    var code: Int
    var detail: String
    var url: String?
    /// What it takes to continue the download, where that can be done.
    var resumeData: Data?

    init(_ error: URLError) {
        code = error.errorCode
        detail = error.detail
        url = error.failingURL?.absoluteString
        resumeData = error.downloadTaskResumeData
    }

    /// The error; a code that this build does not know keeps its number.
    var urlError: URLError {
        var error = URLError(
            URLError.Code(rawValue: code),
            detail: detail,
            failingURL: url.flatMap { URL(string: $0) }
        )
        error.downloadTaskResumeData = resumeData
        return error
    }
}
