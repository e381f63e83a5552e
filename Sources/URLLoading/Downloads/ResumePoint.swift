import FoundationEssentials
import Glibc

/// Where a download goes on: resume data, held against the file that it speaks of.
struct ResumePoint: Sendable {
    let data: ResumeData
    /// The first byte to ask for: the next, or, where nothing is missing, the last one again, which
    /// a server can be asked for without a refusal.
    let start: Int64

    /// Looks at the file; `nil` where it is not what the resume data speaks of, untouched.
    init?(_ data: ResumeData, temporaryFolder: String) {
        self.init(data, FileStatus(data.path(temporaryFolder: temporaryFolder)))
    }

    init?(_ data: ResumeData, _ file: FileStatus?) {
        guard let file, Self.isMet(data, by: file) else { return nil }
        self.data = data
        start = data.receivedBytes == data.totalBytes ? data.receivedBytes - 1 : data.receivedBytes
    }

    /// Whether this is still the file that was looked at.
    func isMet(by file: FileStatus) -> Bool {
        Self.isMet(data, by: file)
    }

    private static func isMet(_ data: ResumeData, by file: FileStatus) -> Bool {
        guard let known = data.identity, known.isUnchanged(from: file.identity) else {
            return false
        }
        return file.isOurs && (1...file.size).contains(data.receivedBytes)
            && data.receivedBytes <= data.totalBytes ?? .max
    }

    /// Removes the part where it is a temporary file of ours, which nobody else knows.
    func discardTemporary(in folder: String) {
        guard case .temporary = data.file else { return }
        let part = try? PartFile(.temporary, continuing: self, at: start, temporaryFolder: folder)
        // Not where another task goes on with it: that has the lock.
        part?.close(keeping: false)
    }

    /// The request with what asks for the rest of the file
    /// ([RFC 9110 §13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)).
    func asking(_ request: URLRequest) -> URLRequest {
        var request = request
        request.headerFields["Range"] = "bytes=\(start)-"
        request.headerFields["If-Range"] = data.validator?.text
        return request
    }
}

extension ResumePoint {
    /// What an answer means for the bytes that are there.
    enum Verdict: Equatable {
        /// These bytes are coming; the length of the whole, where it is known.
        case goOn(ClosedRange<Int64>, total: Int64?)
        /// There is no rest.
        case isComplete
        /// The whole is coming, in this answer.
        case replace(DownloadStartOver)
        /// This answer is of no use; the whole must be asked for.
        case startOver(DownloadStartOver)
        /// An error status, which says nothing about the file.
        case unrelated
        /// No answer to what was asked; nothing can be made of it.
        case senseless
    }

    func verdict(on response: HTTPURLResponse) -> Verdict {
        let fields = response.headerFields
        switch response.statusCode {
        case 200, 203:
            let isSame = data.validator != nil && data.validator == EntityValidator(fields)
            return .replace(isSame ? .rangesNotSupported : .entityChanged)
        case 206: return verdict(onPart: fields)
        case 416:
            guard !data.isContradicted(by: fields), let text = fields["Content-Range"],
                case .unsatisfied(data.receivedBytes) = ContentRange(text),
                data.totalBytes == nil || data.totalBytes == data.receivedBytes
            else { return .startOver(.entityChanged) }
            return .isComplete
        case 400...: return .unrelated
        default: return .senseless
        }
    }

    private func verdict(onPart fields: HTTPHeaderFields) -> Verdict {
        guard !data.isContradicted(by: fields) else { return .startOver(.entityChanged) }
        let text = fields["Content-Range"] ?? "no Content-Range"
        guard case .bytes(let range, let total) = ContentRange(text), range.lowerBound == start
        else { return .startOver(.unexpectedRange(text)) }
        if let total, let known = data.totalBytes, total != known {
            return .startOver(.entityChanged)
        }
        guard range.upperBound < data.totalBytes ?? .max else {
            return .startOver(.unexpectedRange(text))
        }
        return .goOn(range, total: total ?? data.totalBytes)
    }
}

extension ResumeData {
    /// Whether this is the file it speaks of, as it was left.
    package func describes(_ file: FileStatus) -> Bool {
        ResumePoint(self, file) != nil
    }

    /// Whether an answer is of another state of the server's file.
    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        validator?.isContradicted(by: fields) ?? sighting?.isContradicted(by: fields) ?? false
    }

    func path(temporaryFolder: String) -> String {
        switch file {
        case .temporary(let name): "\(temporaryFolder)/\(name)"
        case .partFile(let path): path
        }
    }
}
