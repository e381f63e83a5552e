public import FoundationEssentials

// Unchecked: nothing in it changes after it is made.
/// An HTTP response's status and header, as Foundation's `HTTPURLResponse`.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// The status code, 100 to 999; an error status (400 and above) is a response like any other.
    public let statusCode: Int
    /// The version of HTTP: `HTTP/1.1`, `HTTP/2`.
    public let httpVersion: String
    /// The server's own words for the status; empty over HTTP/2.
    public let reasonPhrase: String
    /// The header fields, in the order they came.
    public let headerFields: HTTPHeaderFields

    /// How old a stored response is that the cache has served without asking the server, seconds;
    /// `nil`: the server has sent or confirmed it.
    package let storedAge: Int?

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - url: the URL of the response.
    ///   - statusCode: the status code.
    ///   - httpVersion: `HTTP/1.1` where `nil`.
    ///   - reasonPhrase: the server's words for the status.
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

    /// The same, where it is known whether the header's length is that of the body that is handed on.
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

    /// Makes a response, as in Foundation.
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

    /// The header fields, looked up by names in any case.
    ///
    /// Foundation's name for ``headerFields``. A plain dictionary, in the server's own spelling, is
    /// `HTTPHeaderFields.dictionary`.
    public var allHeaderFields: HTTPHeaderFields { headerFields }

    /// The value of a header field, its name in any case.
    public func value(forHTTPHeaderField field: String) -> String? {
        headerFields[field]
    }

    /// What the response says of its body; `nil` where it says nothing, or several things.
    package var contentDisposition: ContentDisposition? { headerFields.contentDisposition }

    /// A status code in words, as [RFC 9110 §15](https://www.rfc-editor.org/rfc/rfc9110#section-15)
    /// has them.
    public static func localizedString(forStatusCode statusCode: Int) -> String {
        HTTPStatus.phrase(statusCode)
    }
}
