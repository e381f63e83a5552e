import FoundationEssentials
import Glibc

/// The offset at which a download continues: resume data, checked against the file on the disk.
final class ResumePoint: Sendable {
    let data: ResumeData
    /// The first byte to request.
    ///
    /// If no byte is missing, the request is for the last one, because a server would reject a request
    /// behind the end.
    let start: Int64
    /// The last byte to request; `nil`: the end of the file.
    private let last: Int64?
    /// Whether a gap lies before some of the received bytes.
    let hasHoles: Bool

    /// Examines the file; `nil` where it is not the unchanged file of the resume data.
    convenience init?(_ data: ResumeData, temporaryFolder: String) {
        let path = data.path(temporaryFolder: temporaryFolder)
        self.init(data, FileStatus(path), at: path)
    }

    /// Examines the file by its status; at the path, its trailer is read if it has holes.
    init?(_ data: ResumeData, _ file: FileStatus?, at path: String? = nil) {
        guard let file, data.describes(file, at: path) else { return nil }
        self.data = data
        if let total = data.totalBytes, data.received.hasHoles,
            let gap = data.received.ranges.gaps(upTo: total).first
        {
            start = gap.lowerBound
            last = gap.upperBound < total ? gap.upperBound - 1 : nil
            hasHoles = true
        } else {
            let received = data.received.count
            start = received == data.totalBytes ? received - 1 : received
            last = nil
            hasHoles = false
        }
    }

    /// Removes a temporary part file of the session, which no other program knows.
    func discardTemporary(in folder: String) {
        guard case .temporary = data.file else { return }
        let part = try? PartFile(.temporary, continuing: self, at: start, temporaryFolder: folder)
        // `nil`, and nothing is removed, where another task that continues the file has the lock.
        part?.close(keeping: false)
    }

    /// The request with the fields that ask for the rest of the file
    /// ([RFC 9110 §13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)).
    func asking(_ request: URLRequest) -> URLRequest {
        var request = request
        request.headerFields["Range"] = "bytes=\(start)-\(last.map(String.init) ?? "")"
        request.headerFields["If-Range"] = data.validator?.text
        return request
    }
}

extension ResumePoint {
    /// The effect of a response on the bytes in the file.
    enum Verdict: Equatable {
        /// The response contains this range; `total` is the length of the complete file, if it is known.
        case `continue`(ClosedRange<Int64>, total: Int64?)
        case isComplete
        /// The response contains the whole file.
        case replace(DownloadStartOver)
        /// The response is unusable; the task must request the whole file.
        case startOver(DownloadStartOver)
        /// The response has an error status, which says nothing about the file.
        case unrelated
        /// The response does not fit the request, and is unusable.
        case invalid
    }

    func verdict(on response: HTTPURLResponse) -> Verdict {
        let fields = response.headerFields
        switch response.statusCode {
        case 200, 203:
            let isSame = data.validator != nil && data.validator == EntityValidator(fields)
            return .replace(isSame ? .rangesNotSupported : .entityChanged)
        case 206: return verdict(onPart: fields)
        case 416:
            guard !hasHoles, !data.isContradicted(by: fields), let text = fields["Content-Range"],
                case .unsatisfied(data.received.count) = ContentRange(text),
                data.totalBytes == nil || data.totalBytes == data.received.count
            else { return .startOver(.entityChanged) }
            return .isComplete
        case 400...: return .unrelated
        default: return .invalid
        }
    }

    private func verdict(onPart fields: HTTPHeaderFields) -> Verdict {
        guard !data.isContradicted(by: fields), !data.isRecoded(by: fields) else {
            return .startOver(.entityChanged)
        }
        let text = fields["Content-Range"] ?? "no Content-Range"
        guard case .bytes(let range, let total) = ContentRange(text), range.lowerBound == start
        else { return .startOver(.unexpectedRange(text)) }
        if let total, let known = data.totalBytes, total != known {
            return .startOver(.entityChanged)
        }
        guard range.upperBound < data.totalBytes ?? .max else {
            return .startOver(.unexpectedRange(text))
        }
        return .continue(range, total: total ?? data.totalBytes)
    }
}

extension ResumeData {
    /// Whether a status is that of the unchanged file of this resume data.
    package func describes(_ file: FileStatus, at path: String? = nil) -> Bool {
        guard let identity, file.isOurs,
            identity.isUnchanged(from: file.identity) || hasTrailer(file, at: path)
        else { return false }
        return received.count > 0 && received.end <= min(file.size, totalBytes ?? .max)
    }

    /// Whether only this download can have written to the file since the last save: it is the same
    /// inode, and ends with the trailer.
    ///
    /// The bytes that the resume data counts were on the disk before the save.
    private func hasTrailer(_ file: FileStatus, at path: String?) -> Bool {
        guard let trailer = received.trailer, let identity, let totalBytes, let path,
            identity.device == file.identity.device, identity.inode == file.identity.inode
        else { return false }
        return file.size == totalBytes.adding(clamping: Int64(PartFileTrailer.length))
            && PartFileTrailer(of: path) == trailer
    }

    /// Whether a response has another version of the server's file.
    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        validator?.isContradicted(by: fields) ?? weakValidators?.isContradicted(by: fields) ?? false
    }

    /// Whether a partial response has another content coding than the bytes in the file.
    ///
    /// Some servers encode a range under the entity tag of the plain file. A partial response may omit
    /// the `Content-Encoding` field.
    func isRecoded(by fields: HTTPHeaderFields) -> Bool {
        guard let coding = fields["Content-Encoding"]?.asciiLowercased, !coding.isEmpty,
            coding != "identity"
        else { return false }
        return coding != contentEncoding?.asciiLowercased
    }

    func path(temporaryFolder: String) -> String {
        switch file {
        case .temporary(let name): "\(temporaryFolder)/\(name)"
        case .partFile(let path): path
        }
    }
}
