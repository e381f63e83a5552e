import FoundationEssentials
import Glibc

/// Where a download goes on: resume data, held against the file that it speaks of.
struct ResumePoint: Sendable {
    let data: ResumeData
    /// The bytes of the file that are known to be good.
    let offset: Int64
    /// The first byte to ask for: the next, or, where nothing is missing, the last one again, which
    /// a server can be asked for without a refusal.
    let start: Int64

    /// Looks at the file; `nil` where it is not the one that the resume data speaks of.
    ///
    /// Within one run of the machine all that was written is in the file, also after its writer was
    /// killed. After a new start it is what had been brought to the disk, which the data counts.
    init?(_ data: ResumeData, temporaryFolder: String) {
        self.init(data, FileStatus(data.path(temporaryFolder: temporaryFolder)))
    }

    init?(_ data: ResumeData, _ file: FileStatus?) {
        guard let file, let known = data.identity, known.isSameFile(as: file.identity) else {
            return nil
        }
        let isSameRun = !known.boot.isEmpty && known.boot == file.identity.boot
        let good = isSameRun ? file.size : data.receivedBytes
        guard good > 0, good <= file.size, good <= data.totalBytes ?? .max else { return nil }
        self.data = data
        offset = good
        start = good == data.totalBytes ? good - 1 : good
    }

    /// Whether this is still the file that was looked at.
    func isMet(by file: FileStatus) -> Bool {
        data.identity?.isSameFile(as: file.identity) ?? false && file.size >= offset
    }

    /// Removes the part where it is a temporary file of ours, which nobody else knows.
    func discardTemporary(in folder: String) {
        guard case .temporary = data.file else { return }
        let path = data.path(temporaryFolder: folder)
        if FileStatus(path).map(isMet) ?? false { unlink(path) }
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
        /// The rest is coming; the length of the whole, where it is known.
        case goOn(total: Int64?)
        /// There is no rest.
        case isComplete
        /// The whole is coming, in this answer.
        case replace(DownloadStartOver)
        /// This answer is of no use; the whole must be asked for.
        case startOver(DownloadStartOver)
        /// The answer says nothing about the file: an error, most likely.
        case unrelated
    }

    func verdict(on response: HTTPURLResponse) -> Verdict {
        let fields = response.headerFields
        let isOther = data.validator?.isContradicted(by: fields) ?? false
        switch response.statusCode {
        case 200:
            let isSame = data.validator != nil && data.validator == EntityValidator(fields)
            return .replace(isSame ? .rangesNotSupported : .entityChanged)
        case 206:
            guard !isOther else { return .startOver(.entityChanged) }
            let text = fields.first("Content-Range") ?? "no Content-Range"
            guard case .bytes(let range, let total) = ContentRange(text),
                range.lowerBound == start
            else { return .startOver(.unexpectedRange(text)) }
            if let total, let known = data.totalBytes, total != known {
                return .startOver(.entityChanged)
            }
            return .goOn(total: total ?? data.totalBytes)
        case 416:
            guard !isOther, let text = fields.first("Content-Range"),
                case .unsatisfied(offset) = ContentRange(text),
                data.totalBytes == nil || data.totalBytes == offset
            else { return .startOver(.entityChanged) }
            return .isComplete
        default: return .unrelated
        }
    }
}

extension ResumeData {
    /// Whether this is, for all that is written down, the file it speaks of.
    package func describes(_ file: FileStatus) -> Bool {
        ResumePoint(self, file) != nil
    }

    func path(temporaryFolder: String) -> String {
        switch file {
        case .temporary(let name): "\(temporaryFolder)/\(name)"
        case .partFile(let path): path
        }
    }
}
