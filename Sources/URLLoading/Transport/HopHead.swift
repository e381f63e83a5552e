import FoundationEssentials

/// The head of a hop's response.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields
    /// What it sets, where that was wanted: lines of a cookie file, as the engine has understood it.
    var cookies: [String] = []
    /// Whether the body's content codings are undone, so that its length here is not the one that
    /// is handed on.
    var losesCodings = false
    /// Whether the body is handed on with what frames it, chunk sizes and all.
    var keepsFraming = false

    /// How old a stored response is that is served without asking its server, seconds; `nil`: the
    /// server has sent or confirmed it.
    var storedAge: Int?

    /// Whether a length among the fields is that of the body that is handed on.
    var hasLength: Bool { !losesCodings && fields["Transfer-Encoding"] == nil }

    /// The content codings of a body that comes whole.
    ///
    /// Those of a part (206) cannot be undone: it need not begin where the coding does.
    func codings(_ method: String) -> ContentCodings? {
        guard status != 206, bodyLength(method) != 0 else { return nil }
        return ContentCodings(fields)
    }

    /// All that came until its end, byte for byte, where heads are recorded.
    var raw: Data?

    /// The head as HTTP/1.1 writes it, with its empty line.
    var text: String {
        let lines = fields.fields.map { "\($0.name): \($0.value)\r\n" }
        return "\(httpVersion) \(status) \(reason)\r\n" + lines.joined() + "\r\n"
    }

    /// The length that the response's body is going to have, bytes; `nil` where that is not known
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
