import FoundationEssentials

/// A request as the cache sees it.
struct CacheRequest: Sendable {
    let key: CacheKey
    let method: String
    /// The fields that are sent.
    let fields: HTTPHeaderFields

    /// - Parameters:
    ///   - url: an absolute URL.
    ///   - method: the method.
    ///   - fields: the fields that are sent.
    ///   - identity: who one is, where the fields do not say it: a client certificate, a handshake on
    ///     the connection.
    init?(url: String, method: String, fields: HTTPHeaderFields, identity: String? = nil) {
        let credential = RequestCredential.digest(fields, identity: identity)
        guard let key = CacheKey(url, credential: credential) else { return nil }
        self.key = key
        self.method = method
        self.fields = fields
    }

    /// A request that is about to be sent.
    init?(_ request: PreparedRequest, identity: String? = nil) {
        var fields = HTTPHeaderFields()
        for field in request.fields { fields.add(field.value, to: field.name) }
        self.init(url: request.url, method: request.method, fields: fields, identity: identity)
    }

    /// A request as a program has it.
    init?(_ request: URLRequest) {
        guard let url = request.url?.standardized.absoluteString else { return nil }
        self.init(url: url, method: request.httpMethod ?? "GET", fields: request.headerFields)
    }

    /// Whether it asks for no change
    /// ([RFC 9110 §9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Whether its sender deals with parts or conditions himself: such a request passes untouched.
    var isSpecial: Bool {
        let names = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        return fields.fields.contains { field in
            names.contains { HTTPHeaderFields.areSame($0, field.name) }
        }
    }

    /// Whether something stored could answer it.
    var mayBeAnswered: Bool { (method == "GET" || method == "HEAD") && !isSpecial }
}
