import FoundationEssentials

/// A request as it is written down: all that is sent, secrets too, since it may have to be sent again
/// by a process whose program has ended.
struct StoredRequest: Codable, Hashable, Sendable {
    var url: String
    var method: String?
    var fields: StoredHeader
    /// The idle time-out, microseconds; 0: none; `nil`: the session's.
    var timeout: Int64?
    var handlesCookies: Bool

    /// Writes a request down; `nil` where it has no URL.
    init?(_ request: URLRequest) {
        guard let url = request.url?.absoluteString else { return nil }
        self.url = url
        method = request.ownMethod
        fields = StoredHeader(request.headerFields)
        handlesCookies = request.httpShouldHandleCookies
        timeout = request.ownTimeout.map { own in
            Duration(timeout: own).map { Int64($0 / .microseconds(1)) } ?? 0
        }
    }

    /// The request; `nil` where what was written down is none.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in fields.all { request.headerFields.add(field.value, to: field.name) }
        request.httpShouldHandleCookies = handlesCookies
        if let timeout { request.timeoutInterval = Double(timeout) / 1e6 }
        return request
    }
}

/// A response's head as it is stored.
struct StoredResponse: Codable, Hashable, Sendable {
    /// Where it came from, behind all redirects.
    var url: String
    var status: Int
    var httpVersion: String?
    var fields: StoredHeader
}

extension StoredResponse {
    /// Whether its status is that of an error.
    var isError: Bool { status >= 400 }
}

extension StoredResponse {
    /// The response as a program sees it; `nil` where what was stored is none.
    var urlResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        var header = HTTPHeaderFields()
        for field in fields.all { header.add(field.value, to: field.name) }
        return HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: httpVersion,
            headerFields: header
        )
    }
}

extension StoredResponse {
    /// When what was sent was last changed, seconds since 1970, as the server says.
    var lastModified: Int64? {
        let field = fields.all.last { HTTPHeaderFields.areSame($0.name, "Last-Modified") }
        return field.flatMap { HTTPDate.seconds($0.value) }.map(Int64.init)
    }

    /// Records a response's head.
    init(_ response: HTTPURLResponse) {
        self.init(
            url: response.url?.absoluteString ?? "",
            status: response.statusCode,
            httpVersion: response.httpVersion,
            fields: StoredHeader(response.headerFields)
        )
    }
}

/// Header fields as they are written down: pairs of a name and a value.
///
/// They are one block of memory: a session remembers the responses of thousands of tasks.
struct StoredHeader: Hashable, Sendable {
    /// It is in no text.
    private static let separator: UInt8 = 0xFF

    /// Each name and each value, with a separator behind it.
    private var bytes: [UInt8] = []

    init() {}

    init(_ header: HTTPHeaderFields) {
        for field in header.fields { add(field.name, field.value) }
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// How long they are as JSON, bytes, where nothing is escaped.
    var size: Int { bytes.reduce(0) { $0 + ($1 == Self.separator ? 4 : 1) } }

    var all: [HTTPHeaderFields.Field] {
        var texts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
            .makeIterator()
        var fields: [HTTPHeaderFields.Field] = []
        // Behind the last separator there is no text.
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
        }
    }

    /// The same without some fields, by their names.
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
