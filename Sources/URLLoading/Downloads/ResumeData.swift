package import FoundationEssentials

/// What is needed to go on with a download: `docs/resume-data.md` has the format.
///
/// It holds no secret: no user or password, and no field of the credential kind.
package struct ResumeData: Sendable, Equatable {
    /// The version of a file that has its first bytes, and no others.
    static let version = 1
    /// The version of a file that has holes.
    static let versionWithHoles = 2
    private static let format = "URLLoading resume data"
    /// What is read of resume data at the most, bytes.
    package static let sizeLimit = 256 << 10

    /// The file that has the bytes so far.
    package enum File: Sendable, Equatable {
        /// One of the session's temporary files, by its bare name.
        case temporary(String)
        /// A file of the caller's choice, by its absolute path.
        ///
        /// It is never opened for what is written here, only where the caller names it too.
        case partFile(String)
    }

    /// What there is of a file that has holes.
    package struct Pieces: Sendable, Equatable {
        /// The bytes that are safely in it.
        package var ranges: ByteRanges
        /// What stands behind its last byte.
        var mark: SplitMark
    }

    /// The URL of the first request, without user, password and fragment.
    package var url: String
    /// The first request's own fields, but for those of the credential kind.
    package var fields: [HTTPHeaderFields.Field]
    /// `nil` only for as long as it takes to go on: what is handed out always has one.
    package var validator: EntityValidator?
    /// What was seen instead of a validator; never stored.
    package var sighting: EntitySighting?
    /// The bytes that are safely in the file, counted from its beginning unless it has ``pieces``.
    package var receivedBytes: Int64
    /// Where they are, where the file has holes.
    package var pieces: Pieces?
    /// The length of the whole; `nil` where the server has not said.
    package var totalBytes: Int64?
    package var file: File
    package var identity: FileIdentity?

    /// Reads resume data.
    package init(_ data: Data) throws(ResumeDataError) {
        guard data.count <= Self.sizeLimit else { throw .garbled("it is too large") }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data),
            header.format == Self.format
        else { throw .garbled("it is not this library's") }
        guard (Self.version...Self.versionWithHoles).contains(header.version) else {
            throw .version(header.version)
        }
        let body: Body
        do {
            body = try decoder.decode(Body.self, from: data)
        } catch {
            throw .garbled("something in it is missing, or of the wrong kind")
        }
        try self.init(body)
    }

    /// Whether this is resume data, be it of another version, or of no use.
    static func isFormat(of data: Data) -> Bool {
        (try? JSONDecoder().decode(Header.self, from: data))?.format == format
    }

    private init(_ body: Body) throws(ResumeDataError) {
        guard let origin = URL(string: body.url), Origin(origin) != nil, origin.user() == nil,
            origin.fragment() == nil
        else { throw .garbled("its URL is not one of HTTP's") }
        guard body.receivedBytes > 0, body.receivedBytes <= body.totalBytes ?? .max else {
            throw .garbled("its byte counts contradict each other")
        }
        url = body.url
        fields = try body.fields.map { pair throws(ResumeDataError) in
            guard pair.count == 2, !RedirectPolicy.isCredential(pair[0]) else {
                throw .garbled("its header fields are not pairs of name and value")
            }
            return HTTPHeaderFields.Field(name: pair[0], value: pair[1])
        }
        validator = EntityValidator(entityTag: body.entityTag, lastModified: body.lastModified)
        guard validator != nil else {
            throw .garbled("it has no strong entity tag and no date to ask by")
        }
        receivedBytes = body.receivedBytes
        totalBytes = body.totalBytes
        switch (body.temporaryFile, body.partFile) {
        case (let name?, nil) where PartFile.isTemporaryName(name): file = .temporary(name)
        case (nil, let path?) where path.startsWithBytes(of: "/") && !path.utf8.contains(0):
            file = .partFile(path)
        default: throw .garbled("it names no file that could be its own")
        }
        identity = body.identity
        pieces = try Self.pieces(body)
    }

    private static func pieces(_ body: Body) throws(ResumeDataError) -> Pieces? {
        guard body.version == versionWithHoles else { return nil }
        let pairs = body.ranges ?? []
        let ordered = pairs.compactMap { pair in
            pair.count == 2 && pair[0] <= pair[1] ? pair[0]...pair[1] : nil
        }
        guard ordered.count == pairs.count, let ranges = ByteRanges(ordered: ordered),
            ranges.count == body.receivedBytes, let total = body.totalBytes,
            ranges.ranges.last?.upperBound ?? 0 <= total,
            let mark = body.mark.flatMap(SplitMark.init(token:))
        else { throw .garbled("its ranges are none of a file with holes") }
        return Pieces(ranges: ranges, mark: mark)
    }

    package init(
        url: String,
        fields: [HTTPHeaderFields.Field],
        validator: EntityValidator?,
        receivedBytes: Int64,
        totalBytes: Int64?,
        file: File,
        identity: FileIdentity?
    ) {
        self.url = url
        self.fields = fields
        self.validator = validator
        self.receivedBytes = receivedBytes
        self.totalBytes = totalBytes
        self.file = file
        self.identity = identity
    }

    /// The data as it is handed out and stored.
    package var encoded: Data {
        var body = Body(
            format: Self.format,
            version: pieces == nil ? Self.version : Self.versionWithHoles,
            url: url,
            fields: fields.map { [$0.name, $0.value] },
            receivedBytes: receivedBytes
        )
        switch validator {
        case .entityTag(let tag): body.entityTag = tag
        case .lastModified(let date): body.lastModified = date
        case nil: break
        }
        body.totalBytes = totalBytes
        switch file {
        case .temporary(let name): body.temporaryFile = name
        case .partFile(let path): body.partFile = path
        }
        body.identity = identity
        body.ranges = pieces?.ranges.ranges.map { [$0.lowerBound, $0.upperBound - 1] }
        body.mark = pieces?.mark.token
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them: there is nothing that cannot be encoded.
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
        var temporaryFile: String?
        var partFile: String?
        var identity: FileIdentity?
        var ranges: [[Int64]]?
        var mark: String?
    }
}
