/// A response as a cache keeps it, without its body.
public struct StoredHead: Sendable, Hashable {
    /// The key of the response.
    public let key: CacheKey
    /// The status.
    public var status: Int
    /// The version, such as `HTTP/1.1`.
    public var httpVersion: String
    /// The reason phrase, which may be empty.
    public var reason: String
    /// The fields that may be stored.
    public var fields: HTTPHeaderFields
    /// The time when we sent the request, in seconds since 1970.
    public var requestTime: Double
    /// The time when we received the response, in seconds since 1970.
    public var responseTime: Double
    /// The request fields that select the response.
    public var selection: VarySelection

    /// Sets all properties.
    ///
    /// - Parameters:
    ///   - key: the key of the response.
    ///   - status: its status.
    ///   - httpVersion: such as `HTTP/1.1`.
    ///   - reason: the reason phrase.
    ///   - fields: the fields that the cache may store: ``StoredFields/storable(_:)``.
    ///   - requestTime: the time when we sent the request, in seconds since 1970.
    ///   - responseTime: the time when we received the response, in seconds since 1970.
    ///   - selection: the request fields that select the response.
    public init(
        key: CacheKey,
        status: Int,
        httpVersion: String,
        reason: String,
        fields: HTTPHeaderFields,
        requestTime: Double,
        responseTime: Double,
        selection: VarySelection
    ) {
        self.key = key
        self.status = status
        self.httpVersion = httpVersion
        self.reason = reason
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.selection = selection
    }

    /// The fields that the cache serves.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - length: the body's length in bytes.
    ///   - isValidated: whether the server has just confirmed the response. Otherwise the fields
    ///     include `Age`, and omit the fields that `no-cache` names ([RFC 9111
    ///     §5.2.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.4)).
    /// - Returns: the fields, and the age in seconds; `nil` if the server has confirmed the response.
    public func served(
        now: Double,
        length: Int64,
        isValidated: Bool
    ) -> (fields: HTTPHeaderFields, age: Int?) {
        var served = fields
        let age = isValidated ? nil : Int(clamping: Freshness(self, now: now).age)
        if let age {
            let control = CacheControl(fields["Cache-Control"])
            if control.has("no-cache"), let names = control.fieldNames("no-cache") {
                served = StoredFields.without(names, served)
            }
            served["Age"] = String(age)
        }
        if served["Content-Length"] == nil, status != 204 {
            served["Content-Length"] = String(length)
        }
        return (served, age)
    }

    /// The response after the server has confirmed it ([RFC 9111
    /// §4.3.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4)).
    ///
    /// - Parameters:
    ///   - confirmation: the fields of the server's 304.
    ///   - requestTime: the time when we sent the request for it, in seconds since 1970.
    ///   - responseTime: the time when we received it, in seconds since 1970.
    /// - Returns: the response with updated fields.
    public func confirmed(
        by confirmation: HTTPHeaderFields,
        requestTime: Double,
        responseTime: Double
    ) -> StoredHead {
        var confirmed = self
        // The age of the 304 is not the age of the stored response.
        confirmed.fields["Age"] = nil
        // Without a date, the time of receipt counts (RFC 9110 §6.6.1).
        if confirmation["Date"] == nil { confirmed.fields["Date"] = nil }
        confirmed.fields = StoredFields.updated(confirmed.fields, by: confirmation)
        confirmed.requestTime = requestTime
        confirmed.responseTime = responseTime
        return confirmed
    }
}

/// Selects the fields of a response that the cache stores, updates and serves.
public enum StoredFields {
    /// The fields of the connection, and `Set-Cookie`.
    ///
    /// See [RFC 9111 §3.1](https://www.rfc-editor.org/rfc/rfc9111#section-3.1). An old cookie from the
    /// cache would overwrite newer ones.
    private static let unstored = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
    /// The fields that describe the stored body, not the 304 that confirms it ([RFC 9111
    /// §3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2)).
    private static let bodyFields = ["content-encoding", "content-length", "content-range"]

    /// The fields that the cache may store.
    public static func storable(_ fields: HTTPHeaderFields) -> HTTPHeaderFields {
        var dropped = Set(unstored)
        for name in members(fields["Connection"]) { dropped.insert(name) }
        // Transfer-Encoding overrides any Content-Length ([RFC 9112
        // §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
        if fields["Transfer-Encoding"] != nil { dropped.insert("content-length") }
        return without(dropped, fields)
    }

    /// Stored fields, updated by a response that confirms them.
    public static func updated(
        _ stored: HTTPHeaderFields,
        by confirmation: HTTPHeaderFields
    ) -> HTTPHeaderFields {
        var updated = stored
        let new = without(Set(bodyFields), storable(confirmation))
        for field in new.fields { updated[field.name] = nil }
        for field in new.fields { updated.add(field.value, to: field.name) }
        return updated
    }

    /// The fields except those with some names; the caller passes the names in lower case.
    public static func without(_ names: Set<String>, _ fields: HTTPHeaderFields) -> HTTPHeaderFields
    {
        var kept = HTTPHeaderFields()
        for field in fields.fields where !names.contains(field.name.asciiLowercased) {
            kept.add(field.value, to: field.name)
        }
        return kept
    }

    /// The members of a list of names, in lower case.
    public static func members(_ list: String?) -> [String] {
        (list ?? "").split(byte: UInt8(ascii: ",")).map { HTTPSyntax.trimmed($0).asciiLowercased }
    }
}
