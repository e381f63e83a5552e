package import FoundationEssentials

/// The data from which a later task continues a download; `docs/resume-data.md` describes the format.
///
/// It holds no secret: no user, no password, and no credential field.
package struct ResumeData: Sendable, Equatable {
    /// The version that this library writes.
    static let version = 3
    /// The versions that this library reads.
    ///
    /// Version 1 counts the first bytes and has no ranges; version 2 is only for files with holes.
    static let readVersions = 1...version
    private static let format = "URLLoading resume data"
    /// The maximum size of resume data that we read, in bytes.
    package static let sizeLimit = 256 << 10

    /// The file that holds the received bytes.
    package enum File: Sendable, Equatable {
        /// One of the session's temporary files, by its bare name.
        case temporary(String)
        /// A file that the caller chose, by its absolute path.
        ///
        /// The library opens the file only where the caller names the same path.
        case partFile(String)
    }

    /// The URL of the first request, without user, password and fragment.
    package var url: String
    /// The first request's own header fields, except credential fields.
    package var fields: [HTTPHeaderFields.Field]
    /// `nil` only while a response is being continued; data that the caller receives always has a validator.
    package var validator: EntityValidator?
    /// The weak validator fields of a response without a strong validator; never stored.
    package var weakValidators: WeakValidators?
    /// The bytes in the file that fsync has confirmed.
    package var received: ReceivedRanges
    package var receivedBytes: Int64 { received.count }
    /// The length of the complete file; `nil` where the server did not state it.
    package var totalBytes: Int64?
    /// The content codings of the bytes, as the server wrote them; `nil`: none.
    var contentEncoding: String?
    package var file: File
    package var identity: FileIdentity?

    package init(_ data: Data) throws(ResumeDataError) {
        guard data.count <= Self.sizeLimit else { throw .malformed("it is too large") }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data),
            header.format == Self.format
        else { throw .malformed("it was not written by this library") }
        guard Self.readVersions.contains(header.version) else { throw .version(header.version) }
        let body: Body
        do {
            body = try decoder.decode(Body.self, from: data)
        } catch {
            throw .malformed("a value is missing, or has the wrong type")
        }
        try self.init(body)
    }

    /// Whether a file is resume data, of any version and even with invalid contents.
    static func isFormat(of data: Data) -> Bool {
        (try? JSONDecoder().decode(Header.self, from: data))?.format == format
    }

    private init(_ body: Body) throws(ResumeDataError) {
        guard let origin = URL(string: body.url), Origin(origin) != nil, origin.user() == nil,
            origin.fragment() == nil
        else { throw .malformed("its URL is not an HTTP URL") }
        guard body.receivedBytes > 0, body.receivedBytes <= body.totalBytes ?? .max else {
            throw .malformed("its byte counts contradict each other")
        }
        url = body.url
        fields = try body.fields.map { pair throws(ResumeDataError) in
            guard pair.count == 2, !OriginCrossing.isCredential(pair[0]) else {
                throw .malformed("its header fields are not pairs of name and value")
            }
            return HTTPHeaderFields.Field(name: pair[0], value: pair[1])
        }
        validator = EntityValidator(entityTag: body.entityTag, lastModified: body.lastModified)
        guard validator != nil else {
            throw .malformed("it has neither a strong entity tag nor a usable date")
        }
        received = try Self.received(body)
        totalBytes = body.totalBytes
        contentEncoding = body.contentEncoding
        switch (body.temporaryFile, body.partFile) {
        case (let name?, nil) where PartFile.isTemporaryName(name): file = .temporary(name)
        case (nil, let path?) where path.startsWithBytes(of: "/") && !path.utf8.contains(0):
            file = .partFile(path)
        default: throw .malformed("the name of its file is missing or invalid")
        }
        identity = body.identity
    }

    private static func received(_ body: Body) throws(ResumeDataError) -> ReceivedRanges {
        if body.version == 1 { return ReceivedRanges(prefix: body.receivedBytes) }
        let pairs = body.ranges ?? []
        let ordered = pairs.compactMap { pair in
            pair.count == 2 && pair[0] <= pair[1] ? pair[0]...pair[1] : nil
        }
        guard ordered.count == pairs.count, let ranges = ByteRanges(ordered: ordered),
            ranges.count == body.receivedBytes,
            ranges.ranges.last?.upperBound ?? 0 <= body.totalBytes ?? .max
        else { throw .malformed("its ranges are invalid") }
        if let mark = body.mark {
            guard body.totalBytes != nil, let trailer = PartFileTrailer(token: mark) else {
                throw .malformed("its mark is invalid, or the total length is missing")
            }
            return ReceivedRanges(ranges, trailer: trailer)
        }
        // Version 2 is only for files with holes.
        guard ranges.isPrefix, body.version != 2 else {
            throw .malformed("its file has holes, but the mark is missing")
        }
        return ReceivedRanges(prefix: ranges.prefix, checksum: body.checksum)
    }

    package init(
        url: String,
        fields: [HTTPHeaderFields.Field],
        validator: EntityValidator?,
        received: ReceivedRanges,
        totalBytes: Int64?,
        file: File,
        identity: FileIdentity?
    ) {
        self.url = url
        self.fields = fields
        self.validator = validator
        self.received = received
        self.totalBytes = totalBytes
        self.file = file
        self.identity = identity
    }

    /// The data as the caller receives it and the resume file stores it.
    package var encoded: Data {
        var body = Body(
            format: Self.format,
            version: Self.version,
            url: url,
            fields: fields.map { [$0.name, $0.value] },
            receivedBytes: received.count
        )
        switch validator {
        case .entityTag(let tag): body.entityTag = tag
        case .lastModified(let date): body.lastModified = date
        case nil: break
        }
        body.totalBytes = totalBytes
        body.contentEncoding = contentEncoding
        switch file {
        case .temporary(let name): body.temporaryFile = name
        case .partFile(let path): body.partFile = path
        }
        body.identity = identity
        body.ranges = received.ranges.ranges.map { [$0.lowerBound, $0.upperBound - 1] }
        body.mark = received.trailer?.token
        body.checksum = received.checksum
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the values are strings, numbers and lists of them.
        return (try? encoder.encode(body)) ?? Data()
    }

    private struct Header: Decodable {
        let format: String
        let version: Int
    }

    /// The members of the JSON object.
    private struct Body: Codable {
        var format: String
        var version: Int
        var url: String
        var fields: [[String]]
        var entityTag: String?
        var lastModified: String?
        var receivedBytes: Int64
        var totalBytes: Int64?
        var contentEncoding: String?
        var temporaryFile: String?
        var partFile: String?
        var identity: FileIdentity?
        var ranges: [[Int64]]?
        var mark: String?
        var checksum: UInt32?
    }
}

extension ResumeData {
    /// The resume data for the body of a response.
    ///
    /// `nil` where a continuation could fail: the response has no strong validator, or the server
    /// states that it serves no ranges.
    init?(_ request: borrowing URLRequest, _ fields: HTTPHeaderFields, totalBytes: Int64?) {
        guard let url = Self.address(of: request), let validator = EntityValidator(fields),
            fields.first("Accept-Ranges")?.asciiLowercased != "none"
        else { return nil }
        self.init(
            url: url,
            fields: request.headerFields.fields.filter { !OriginCrossing.isCredential($0.name) },
            validator: validator,
            received: ReceivedRanges(prefix: 0),
            totalBytes: totalBytes,
            file: .temporary(""),
            identity: nil
        )
        contentEncoding = fields.first("Content-Encoding")
    }

    /// A request's URL as resume data stores it: without user, password and fragment.
    package static func address(of request: URLRequest) -> String? {
        guard let url = request.url else { return nil }
        let text = url.absoluteString
        if PlainURL.scheme(text) != nil { return text }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        parts.percentEncodedUser = nil
        parts.percentEncodedPassword = nil
        parts.fragment = nil
        return parts.string
    }

    /// Whether the resume data belongs to a URL, which has the form of ``address(of:)``.
    ///
    /// We ignore the URL's query if there is a strong entity tag. A signed link has another query each time,
    /// and the request for the rest is conditional on the tag.
    package func isOf(_ other: String) -> Bool {
        if url.utf8.elementsEqual(other.utf8) { return true }
        guard case .entityTag? = validator else { return false }
        return Self.withoutQuery(url).elementsEqual(Self.withoutQuery(other))
    }

    private static func withoutQuery(_ url: String) -> Substring.UTF8View {
        url.utf8.prefix { $0 != UInt8(ascii: "?") }
    }

    /// The request of the download, without the parts that resume data leaves out.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        for field in fields { request.headerFields.add(field.value, to: field.name) }
        return request
    }
}

extension URLRequest {
    /// Removes the conditions that the first response has satisfied, for the request of the rest of its
    /// body.
    mutating func removeSatisfiedConditions() {
        // An assignment alone would copy the fields.
        for name in ["If-None-Match", "If-Modified-Since"] where headerFields.first(name) != nil {
            headerFields[name] = nil
        }
    }

    private static let conditions = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since",
    ]

    /// Whether a later request can continue the response: a plain GET for a whole file.
    var isContinuable: Bool {
        (httpMethod ?? "GET") == "GET" && httpBody == nil && httpBodyStream == nil
            && httpRequestTarget == nil
            && (headerFields.isEmpty
                || Self.conditions.allSatisfy { headerFields.first($0) == nil })
    }
}

/// The error of unusable resume data.
package enum ResumeDataError: Error, Equatable, CustomStringConvertible {
    /// The data is not JSON, not written by this library, or incomplete.
    case malformed(String)
    /// This library wrote the data, in a version that it cannot read.
    case version(Int)

    package var description: String {
        switch self {
        case .malformed(let words): "the resume data cannot be read: \(words)"
        case .version(let number):
            "the resume data has version \(number); versions 1 to \(ResumeData.version) are supported"
        }
    }
}
