import FoundationEssentials
import Glibc

/// Where a download goes on: resume data, compared with the file that it describes.
struct ResumePoint: Sendable {
    let data: ResumeData
    /// The first byte to ask for: the next, or, where nothing is missing, the last one again, which
    /// a server can be asked for without a refusal.
    let start: Int64
    /// The last byte to ask for; `nil`: the file's.
    private let last: Int64?

    /// Looks at the file; `nil` where it is not what the resume data speaks of, untouched.
    init?(_ data: ResumeData, temporaryFolder: String) {
        let path = data.path(temporaryFolder: temporaryFolder)
        self.init(data, FileStatus(path), at: path)
    }

    /// - Parameters:
    ///   - data: the resume data.
    ///   - file: what the file is now.
    ///   - path: where it is, to look for the trailer of a file with holes.
    init?(_ data: ResumeData, _ file: FileStatus?, at path: String? = nil) {
        guard let file, Self.isMet(data, by: file, at: path) else { return nil }
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

    /// Whether bytes are there behind others that are not.
    let hasHoles: Bool

    /// Whether this is still the file that was looked at.
    func isMet(by file: FileStatus, at path: String) -> Bool {
        Self.isMet(data, by: file, at: path)
    }

    private static func isMet(
        _ data: ResumeData,
        by file: FileStatus,
        at path: String?
    ) -> Bool {
        guard let known = data.identity, file.isOurs,
            known.isUnchanged(from: file.identity) || hasTrailer(data, file, at: path)
        else { return false }
        let received = data.received.count
        return received > 0 && received <= file.size && received <= data.totalBytes ?? .max
    }

    /// Whether only the download itself can have written to the file since: it is the same one, and
    /// the trailer of a file with holes is there.
    ///
    /// What was written down of it had been brought to the disk before.
    private static func hasTrailer(
        _ data: ResumeData,
        _ file: FileStatus,
        at path: String?
    ) -> Bool {
        guard let trailer = data.received.trailer, let known = data.identity,
            let total = data.totalBytes, let path, known.device == file.identity.device,
            known.inode == file.identity.inode
        else { return false }
        return file.size == total.adding(clamping: Int64(PartFileTrailer.length))
            && PartFileTrailer(of: path) == trailer
    }

    /// Removes the part where it is a temporary file of ours, which no other program knows.
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
        request.headerFields["Range"] = "bytes=\(start)-\(last.map(String.init) ?? "")"
        request.headerFields["If-Range"] = data.validator?.text
        return request
    }
}

extension ResumePoint {
    /// What a response means for the bytes that are there.
    enum Verdict: Equatable {
        /// These bytes are coming; the length of the whole, where it is known.
        case goOn(ClosedRange<Int64>, total: Int64?)
        /// There is no rest.
        case isComplete
        /// The whole is coming, in this response.
        case replace(DownloadStartOver)
        /// This response is of no use; the whole must be asked for.
        case startOver(DownloadStartOver)
        /// An error status, which says nothing about the file.
        case unrelated
        /// No response to what was asked; nothing can be made of it.
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
            guard !hasHoles, !data.isContradicted(by: fields), let text = fields["Content-Range"],
                case .unsatisfied(data.received.count) = ContentRange(text),
                data.totalBytes == nil || data.totalBytes == data.received.count
            else { return .startOver(.entityChanged) }
            return .isComplete
        case 400...: return .unrelated
        default: return .senseless
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
        return .goOn(range, total: total ?? data.totalBytes)
    }
}

extension ResumeData {
    /// Whether this is the file it speaks of, as it was left.
    package func describes(_ file: FileStatus, at path: String? = nil) -> Bool {
        ResumePoint(self, file, at: path) != nil
    }

    /// Whether a response is of another state of the server's file.
    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        validator?.isContradicted(by: fields) ?? sighting?.isContradicted(by: fields) ?? false
    }

    /// Whether a part of the file has another content coding than the bytes that are there.
    ///
    /// A server that encodes what it sends of a range does so under the file's own tag. A partial
    /// response may leave the field out.
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
