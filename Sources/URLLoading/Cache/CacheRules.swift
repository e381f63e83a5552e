import FoundationEssentials

// Adapters between the caching rules of `HTTPSemantics` and this library's requests and digests.

/// A digest of a request's credentials: users with different credentials have different ones.
enum RequestCredential {
    /// The digest, in hex, of the fields and of an identity beside them; `nil`: no credentials.
    static func digest(_ fields: HTTPHeaderFields, identity: String?) -> String? {
        let authorization = fields["Authorization"]
        guard authorization != nil || identity != nil else { return nil }
        return digest("credential\n\(authorization ?? "")\n\(identity ?? "")")
    }

    /// The digest of a secret.
    static func digest(_ text: String) -> String {
        // SHA-256 is available in all modes of the crypto library.
        MessageDigest.hex(Array(text.utf8), by: .sha256) ?? StableHash.name(of: text)
    }
}

extension CacheRequest {
    /// A request to an absolute URL; the identity is a client certificate's, or a handshake's on the
    /// connection.
    init?(url: String, method: String, fields: HTTPHeaderFields, identity: String? = nil) {
        let credential = RequestCredential.digest(fields, identity: identity)
        self.init(url: url, method: method, fields: fields, credential: credential)
    }

    /// A request that is about to be sent.
    init?(_ request: PreparedRequest, identity: String? = nil) {
        let fields = HTTPHeaderFields(separate: request.fields)
        self.init(url: request.url, method: request.method, fields: fields, identity: identity)
    }

    /// A request of the program.
    init?(_ request: URLRequest) {
        guard let url = request.url?.standardized.absoluteString else { return nil }
        self.init(url: url, method: request.httpMethod ?? "GET", fields: request.headerFields)
    }
}

extension VarySelection {
    /// The values of a request's fields with these names.
    init(_ names: [String], of request: HTTPHeaderFields) {
        self.init(names, of: request, digest: RequestCredential.digest)
    }

    /// Whether a request selects the same response.
    func matches(_ request: HTTPHeaderFields) -> Bool {
        matches(request, digest: RequestCredential.digest)
    }

    /// Whether a request may select the same response, after the session has added its fields.
    func mayMatch(_ request: HTTPHeaderFields) -> Bool {
        mayMatch(request, digest: RequestCredential.digest)
    }
}

extension StoredHead {
    /// The stored part of a response.
    init(
        _ head: HopHead,
        to request: CacheRequest,
        requestTime: Double,
        responseTime: Double
    ) {
        var stored = head
        stored.fields = StoredFields.storable(head.fields)
        self.init(
            key: request.key,
            head: stored,
            requestTime: requestTime,
            responseTime: responseTime,
            selection: VarySelection(VarySelection.names(head.fields) ?? [], of: request.fields)
        )
    }

    /// A response from the disk.
    init(
        key: CacheKey,
        head: HopHead,
        requestTime: Double,
        responseTime: Double,
        selection: VarySelection
    ) {
        self.init(
            key: key,
            status: head.status,
            httpVersion: head.httpVersion,
            reason: head.reason,
            fields: head.fields,
            requestTime: requestTime,
            responseTime: responseTime,
            selection: selection
        )
    }

    /// The response's head for delivery; see ``served(now:length:isValidated:)``.
    func head(now: Double, length: Int64, isValidated: Bool) -> HopHead {
        let served = served(now: now, length: length, isValidated: isValidated)
        return HopHead(
            status: status,
            httpVersion: httpVersion,
            reason: reason,
            fields: served.fields,
            storedAge: served.age
        )
    }
}

extension CacheVerdict {
    /// Decides by the policy; `nil`: the task may use neither network nor cache.
    init(
        _ request: CacheRequest,
        policy: URLRequest.CachePolicy?,
        stored: StoredHead?,
        now: Double
    ) {
        let usable = request.mayBeServed ? stored : nil
        switch policy {
        case nil: self = .fail
        case .reloadIgnoringLocalCacheData: self = .load(adding: [])
        case .reloadIgnoringLocalAndRemoteCacheData:
            self = .load(adding: Self.noCache.filter { request.fields[$0.name] == nil })
        case .returnCacheDataElseLoad: self = usable == nil ? .load(adding: []) : .serve
        case .returnCacheDataDontLoad: self = usable == nil ? .fail : .serve
        case .reloadRevalidatingCacheData: self = Self.validation(usable)
        case .useProtocolCachePolicy: self.init(request, stored: stored, now: now)
        }
    }
}

extension StaleService {
    /// Whether the cache may serve a stale response after this error: the server is unreachable, or did not
    /// respond.
    static func isError(_ code: URLError.Code) -> Bool {
        switch code {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
            .dnsLookupFailed, .notConnectedToInternet:
            true
        default: false
        }
    }
}

extension CacheReader {
    /// The response to a request that accepts only a cached one, if nothing is cached
    /// ([RFC 9111 §5.2.1.7](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.1.7)).
    static var gatewayTimeout: CacheReader {
        var fields = HTTPHeaderFields()
        fields["Content-Length"] = "0"
        let head = HopHead(
            status: 504,
            httpVersion: "HTTP/1.1",
            reason: HTTPStatus.phrase(504),
            fields: fields
        )
        return CacheReader(head: head, body: MemoryBody(Data()), isHead: false)
    }
}
