public import FoundationEssentials

// Unchecked: immutable after initialization.
/// An HTTP response's status and header, as Foundation's `HTTPURLResponse`.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// The status code, 100 to 999; an error status (400 and above) is a response like any other.
    public let statusCode: Int
    /// The version of HTTP: `HTTP/1.1`, `HTTP/2`.
    public let httpVersion: String
    /// The server's reason phrase; empty over HTTP/2.
    public let reasonPhrase: String
    /// The header fields, in the order in which they arrived.
    public let headerFields: HTTPHeaderFields

    /// The age of a response that the cache served without asking the server, seconds; `nil`: the
    /// server sent or confirmed the response.
    package let storedAge: Int?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: the URL of the response.
    ///   - statusCode: the status code.
    ///   - httpVersion: the version of HTTP; `nil`: `HTTP/1.1`.
    ///   - reasonPhrase: the server's reason phrase.
    ///   - headerFields: the header.
    public convenience init(
        url: URL,
        statusCode: Int,
        httpVersion: String?,
        reasonPhrase: String = "",
        headerFields: HTTPHeaderFields
    ) {
        self.init(
            url: url,
            statusCode: statusCode,
            httpVersion: httpVersion,
            reasonPhrase: reasonPhrase,
            headerFields: headerFields,
            hasLength: headerFields["Transfer-Encoding"] == nil
        )
    }

    /// The response of a hop.
    convenience init(_ url: URL, _ head: HopHead) {
        self.init(
            url: url,
            statusCode: head.status,
            httpVersion: head.httpVersion,
            reasonPhrase: head.reason,
            headerFields: head.fields,
            hasLength: head.hasLength,
            storedAge: head.storedAge
        )
    }

    /// The same, where `hasLength` is known: whether the header's length is that of the delivered body.
    init(
        url: URL,
        statusCode: Int,
        httpVersion: String?,
        reasonPhrase: String,
        headerFields: HTTPHeaderFields,
        hasLength: Bool,
        storedAge: Int? = nil
    ) {
        self.storedAge = storedAge
        self.statusCode = statusCode
        self.httpVersion = httpVersion ?? "HTTP/1.1"
        self.reasonPhrase = reasonPhrase
        self.headerFields = headerFields
        super.init(
            url: url,
            expectedContentLength: hasLength
                ? headerFields.contentLength.map(Int.init) ?? -1 : -1,
            headerFields["Content-Type"].map(ContentType.field)
                ?? .parts(mimeType: nil, textEncodingName: nil)
        )
    }

    /// Creates a response, as in Foundation.
    public convenience init?(
        url: URL,
        statusCode: Int,
        httpVersion: String?,
        headerFields: [String: String]?
    ) {
        guard (100...999).contains(statusCode) else { return nil }
        self.init(
            url: url,
            statusCode: statusCode,
            httpVersion: httpVersion,
            headerFields: HTTPHeaderFields(headerFields ?? [:])
        )
    }

    /// The header fields, looked up case-insensitively.
    ///
    /// Foundation's name for ``headerFields``. `HTTPHeaderFields.dictionary` is a plain dictionary with
    /// the server's spelling.
    public var allHeaderFields: HTTPHeaderFields { headerFields }

    /// The value of a header field, whose name is case-insensitive.
    public func value(forHTTPHeaderField field: String) -> String? {
        headerFields[field]
    }

    /// The `Content-Disposition`; `nil` where the field is missing or ambiguous.
    package var contentDisposition: ContentDisposition? { headerFields.contentDisposition }

    /// The text for a status code, from [RFC 9110 §15](https://www.rfc-editor.org/rfc/rfc9110#section-15).
    public static func localizedString(forStatusCode statusCode: Int) -> String {
        HTTPStatus.phrase(statusCode)
    }
}
