/// The use of a stored response for a request ([RFC 9111
/// §4](https://www.rfc-editor.org/rfc/rfc9111#section-4)).
public enum CacheVerdict: Sendable, Hashable {
    /// Nothing usable is stored: the session sends the request, with these additional fields.
    case load(adding: [HTTPHeaderFields.Field])
    /// The cache serves the stored response.
    case serve
    /// The cache serves the stored response if the server confirms it; the request has these additional
    /// fields.
    case validate(adding: [HTTPHeaderFields.Field])
    /// The caller forbids the network, and the cache has no response.
    case fail
    /// The request's `only-if-cached` forbids the network, and the cache has no response: 504.
    case gatewayTimeout

    /// Decides by HTTP's rules.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - stored: the stored response that the request selects; `nil`: none.
    ///   - now: seconds since 1970.
    public init(_ request: CacheRequest, stored: StoredHead?, now: Double) {
        let stored = request.mayBeServed ? stored : nil
        let requestControl = CacheControl(request.fields["Cache-Control"])
        let verdict = Self.verdict(request, requestControl, stored, now)
        self = requestControl.has("only-if-cached") && verdict != .serve ? .gatewayTimeout : verdict
    }

    /// The fields that forbid all caches on the way to use a stored response.
    public static let noCache = [
        HTTPHeaderFields.Field(name: "Cache-Control", value: "no-cache"),
        HTTPHeaderFields.Field(name: "Pragma", value: "no-cache"),
    ]

    private static func verdict(
        _ request: CacheRequest,
        _ requestControl: CacheControl,
        _ stored: StoredHead?,
        _ now: Double
    ) -> CacheVerdict {
        guard let stored else { return .load(adding: []) }
        let control = CacheControl(stored.fields["Cache-Control"])
        let mustAsk = control.has("no-cache") && control.fieldNames("no-cache") == nil
        let isUnwanted =
            requestControl.has("no-cache")
            // §5.4: it counts only without a Cache-Control.
            || (requestControl.directives.isEmpty
                && StoredFields.members(request.fields["Pragma"]).contains("no-cache"))
        guard !mustAsk, !isUnwanted else { return validation(stored) }
        return accepts(Freshness(stored, now: now), requestControl, control)
            ? .serve : validation(stored)
    }

    /// Whether a response is young enough for a request (§5.2.1).
    private static func accepts(
        _ freshness: Freshness,
        _ requestControl: CacheControl,
        _ control: CacheControl
    ) -> Bool {
        switch requestControl.delta("max-age") {
        case .absent: break
        case .seconds(let seconds): if freshness.age > Double(seconds) { return false }
        case .bare, .invalid: return false
        }
        switch requestControl.delta("min-fresh") {
        case .absent: break
        case .seconds(let seconds): if -freshness.staleness < Double(seconds) { return false }
        case .bare, .invalid: return false
        }
        guard !freshness.isFresh else { return true }
        guard !control.has("must-revalidate") else { return false }
        return switch requestControl.delta("max-stale") {
        case .absent, .invalid: false
        case .bare: true
        case .seconds(let seconds): freshness.staleness <= Double(seconds)
        }
    }

    /// The verdict if the cache may serve a stored response only after the server has confirmed it.
    public static func validation(_ stored: StoredHead?) -> CacheVerdict {
        guard let stored, CacheValidation.isPossible(stored) else { return .load(adding: []) }
        return .validate(adding: CacheValidation.conditions(stored))
    }
}

/// Whether a private cache stores a response.
///
/// See [RFC 9111 §3](https://www.rfc-editor.org/rfc/rfc9111#section-3). `private` and `Authorization`
/// do not forbid it, and `s-maxage` and `proxy-revalidate` have no effect.
public enum StoreVerdict: Sendable, Hashable {
    /// The cache stores the response.
    case store
    /// The cache does not store the response.
    case skip(Reason)

    /// The reason why a cache does not store a response.
    public enum Reason: Sendable, Hashable {
        /// The cache stores only responses to GET.
        case method
        /// The request demands a range, or has its own conditions.
        case special
        /// The cache does not store responses with this status.
        case status
        /// The request or the response contains `no-store`.
        case forbidden
        /// The response has `Vary: *`, which no request ever matches.
        case variesOnEverything
        /// Neither the status nor a field allows it.
        case notAllowed
        /// The response is stale at once, and the server cannot validate it.
        case useless
    }

    /// Decides by HTTP's rules.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - storedHead: the parts of the response that the cache would store.
    ///   - fields: the response's fields as the server sent them.
    ///   - keepsStale: whether the cache also stores a response that is stale at once, since the policy
    ///     serves it.
    public init(
        _ request: CacheRequest,
        _ storedHead: StoredHead,
        fields: HTTPHeaderFields,
        keepsStale: Bool
    ) { self = Self.reason(request, storedHead, fields, keepsStale).map(Self.skip) ?? .store }

    private static func reason(
        _ request: CacheRequest,
        _ storedHead: StoredHead,
        _ fields: HTTPHeaderFields,
        _ keepsStale: Bool
    ) -> Reason? {
        let control = CacheControl(fields["Cache-Control"])
        guard request.method == "GET" else { return .method }
        guard !request.bypassesCache else { return .special }
        guard !CacheableStatus.isNeverStored(storedHead.status) else { return .status }
        // §5.2.2.3: a cache that understands the status may store it despite no-store.
        let isUnderstood = CacheableStatus.isUnderstood(storedHead.status)
        if control.has("must-understand"), !isUnderstood { return .status }
        if control.has("no-store"), !control.has("must-understand") { return .forbidden }
        if CacheControl(request.fields["Cache-Control"]).has("no-store") { return .forbidden }
        guard VarySelection.names(fields) != nil else { return .variesOnEverything }
        let allows =
            CacheableStatus.isHeuristic(storedHead.status)
            || ["public", "private", "max-age"].contains(where: control.has)
            || fields["Expires"] != nil
        guard allows else { return .notAllowed }
        guard keepsStale || CacheValidation.isPossible(storedHead) else {
            let lifetime = Freshness(storedHead, now: storedHead.responseTime)
            let mustAsk = control.has("no-cache") && control.fieldNames("no-cache") == nil
            return lifetime.isFresh && !mustAsk ? nil : .useless
        }
        return nil
    }
}

/// Validates a stored response ([RFC 9111 §4.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.3)).
public enum CacheValidation {
    /// Whether a stored response has a validator.
    public static func isPossible(_ storedHead: StoredHead) -> Bool {
        !conditions(storedHead).isEmpty
    }

    /// The fields that make a request conditional; none if the response has no validator.
    ///
    /// It includes both, since a server that supports entity tags ignores the date (RFC 9110 §13.1.3).
    public static func conditions(_ storedHead: StoredHead) -> [HTTPHeaderFields.Field] {
        var conditions: [HTTPHeaderFields.Field] = []
        if let tag = storedHead.fields.first("ETag"), !tag.isEmpty {
            conditions.append(HTTPHeaderFields.Field(name: "If-None-Match", value: tag))
        }
        if let date = storedHead.fields.first("Last-Modified"), HTTPDate.seconds(date) != nil {
            conditions.append(HTTPHeaderFields.Field(name: "If-Modified-Since", value: date))
        }
        return conditions
    }

    /// Whether a 304 confirms the stored response (§4.3.4): not if it has the tag of another entity.
    public static func confirms(_ confirmation: HTTPHeaderFields, _ storedHead: StoredHead) -> Bool
    {
        guard let tag = confirmation.first("ETag") else { return true }
        guard let own = storedHead.fields.first("ETag") else { return true }
        return weak(tag).hasBytes(of: weak(own))
    }

    /// Whether the response to a HEAD describes the stored response (§4.3.5).
    public static func describes(
        _ head: HTTPHeaderFields,
        _ storedHead: StoredHead,
        length: Int64
    ) -> Bool {
        for name in ["ETag", "Last-Modified"] {
            if let value = head.first(name),
                storedHead.fields.first(name)?.hasBytes(of: value) != true
            {
                return false
            }
        }
        return head.first("Content-Length").flatMap { Int64($0) }.map { $0 == length } ?? true
    }

    /// A tag without its `W/` prefix, for the weak comparison of two tags (RFC 9110 §8.8.3.2).
    private static func weak(_ tag: String) -> Substring {
        tag.droppingBytes(of: "W/") ?? tag[...]
    }
}
