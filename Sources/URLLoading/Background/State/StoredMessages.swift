import FoundationEssentials

/// A request in its stored form, with its secrets: a process whose program has ended may have to send it
/// again.
struct StoredRequest: Codable, Hashable, Sendable {
    var url: String
    var method: String?
    var fields: StoredHeader
    /// The idle time-out, microseconds; 0: none; `nil`: the session's.
    var timeout: Int64?
    var handlesCookies: Bool

    /// Stores a request; `nil` if it has no URL.
    init?(_ request: URLRequest) {
        guard let url = request.url?.absoluteString else { return nil }
        self.url = url
        method = request.ownMethod
        fields = StoredHeader(request.headerFields)
        handlesCookies = request.httpShouldHandleCookies
        timeout = request.ownTimeout.map { Duration.microseconds(ofTimeout: $0) }
    }

    /// The request; `nil` if its URL cannot be read.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.headerFields = HTTPHeaderFields(separate: fields.all)
        request.httpShouldHandleCookies = handlesCookies
        if let timeout { request.timeoutInterval = Double(timeout) / 1e6 }
        return request
    }
}

/// A response's head as it is stored: of more than ``fieldsLimit`` of fields, those that fit.
struct StoredResponse: Codable, Hashable, Sendable {
    /// The URL of the response, after all redirects.
    var url: String
    var status: Int
    var httpVersion: String?
    var fields: StoredHeader

    var isError: Bool { status >= 400 }

    /// The response as a program sees it; `nil` if its URL cannot be read.
    var urlResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        return HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: httpVersion,
            headerFields: HTTPHeaderFields(separate: fields.all)
        )
    }
}

extension StoredResponse {
    /// The most bytes of stored fields: a server decides how many there are, and how long each is.
    static let fieldsLimit = 16 << 10

    /// The time in `Last-Modified`, seconds since 1970.
    var lastModified: Int64? {
        let field = fields.all.last { HTTPHeaderFields.areSame($0.name, "Last-Modified") }
        return field.flatMap { HTTPDate.seconds($0.value) }.map(Int64.init)
    }

    init(_ response: HTTPURLResponse) {
        self.init(
            url: response.url?.absoluteString ?? "",
            status: response.statusCode,
            httpVersion: response.httpVersion,
            fields: StoredHeader(response.headerFields, limit: Self.fieldsLimit)
        )
    }
}

/// Header fields in their stored form: pairs of a name and a value.
///
/// All fields are in one block of memory, because a session has the responses of thousands of tasks.
struct StoredHeader: Hashable, Sendable {
    /// A byte that no UTF-8 text contains.
    private static let separator: UInt8 = 0xFF

    /// Each name and each value, followed by a separator.
    private var bytes: [UInt8] = []
    private var count = 0

    init() {}

    /// Stores the fields that fit into a number of bytes.
    ///
    /// A control character counts as six bytes, because JSON makes that many of it.
    init(_ header: HTTPHeaderFields, limit: Int = .max) {
        var room = limit
        for field in header.fields {
            let size = [field.name, field.value].reduce(8) { sum, text in
                sum + text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : 1) }
            }
            guard size <= room else { continue }
            room -= size
            add(field.name, field.value)
        }
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Their length as JSON without escapes, bytes.
    var size: Int { bytes.count + 3 * count }

    var all: [HTTPHeaderFields.Field] {
        var texts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
            .makeIterator()
        var fields: [HTTPHeaderFields.Field] = []
        // No text follows the last separator.
        while let name = texts.next(), let value = texts.next() {
            fields.append(
                HTTPHeaderFields.Field(
                    name: String(decoding: name, as: UTF8.self),
                    value: String(decoding: value, as: UTF8.self)
                )
            )
        }
        return fields
    }

    private mutating func add(_ name: String, _ value: String) {
        for text in [name, value] {
            bytes += text.utf8
            bytes.append(Self.separator)
            count += 1
        }
    }

    /// The fields without those whose names match.
    func without(_ isLeftOut: (String) -> Bool) -> StoredHeader {
        var rest = StoredHeader()
        for field in all where !isLeftOut(field.name) { rest.add(field.name, field.value) }
        return rest
    }
}

extension StoredHeader: Codable {
    init(from decoder: any Decoder) throws {
        var pairs = try decoder.unkeyedContainer()
        while !pairs.isAtEnd {
            var pair = try pairs.nestedUnkeyedContainer()
            add(try pair.decode(String.self), try pair.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var pairs = encoder.unkeyedContainer()
        for field in all {
            var pair = pairs.nestedUnkeyedContainer()
            try pair.encode(field.name)
            try pair.encode(field.value)
        }
    }
}

struct StoredError: Codable, Hashable, Error {
    var code: Int
    var detail: String
    var url: String?
    /// Resume data, if the download can be continued.
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
