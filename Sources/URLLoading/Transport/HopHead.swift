import FoundationEssentials

/// The head of a hop's response.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields
    /// The cookies that the response sets, as lines of a cookie file, if the hop's request wants them.
    var cookies: [String] = []
    /// Whether the hop decodes content codings, so that the delivered length is not the stated one.
    var isDecoded = false
    /// Whether the delivered body contains its transfer framing, such as chunk sizes.
    var keepsFraming = false

    /// The age of a stored response that was not validated, seconds; `nil`: the server sent or
    /// confirmed the response.
    var storedAge: Int?

    /// Whether the stated length is that of the delivered body.
    var hasLength: Bool { !isDecoded && fields["Transfer-Encoding"] == nil }

    /// The content codings of a complete body.
    ///
    /// We cannot decode a partial response (206), because it may begin in the middle of the coded data.
    func codings(_ method: String) -> ContentCodings? {
        guard status != 206, bodyLength(method) != 0 else { return nil }
        return ContentCodings(fields)
    }

    /// The received bytes up to the end of the head, if heads are recorded.
    var raw: Data?

    /// The head in HTTP/1.1 form, with its empty line.
    var text: String {
        let lines = fields.fields.map { "\($0.name): \($0.value)\r\n" }
        return "\(httpVersion) \(status) \(reason)\r\n" + lines.joined() + "\r\n"
    }

    /// The length of the response's body, bytes; `nil` where it is unknown
    /// ([RFC 9112 §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func bodyLength(_ method: String) -> Int64? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        guard fields["Transfer-Encoding"] == nil else { return nil }
        return fields.contentLength
    }

    /// Whether the body ends with the connection ([RFC 9112
    /// §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func endsWithConnection(_ method: String) -> Bool {
        guard httpVersion.startsWithBytes(of: "HTTP/1"), bodyLength(method) == nil else {
            return false
        }
        return fields["Transfer-Encoding"].map {
            !$0.asciiLowercased.endsWithBytes(of: "chunked")
        } ?? true
    }
}
