/// The use of a stored response for a request ([RFC 9111
/// §4](https://www.rfc-editor.org/rfc/rfc9111#section-4)).
public enum CacheVerdict: Sendable, Hashable {
    /// There is none, or it cannot be used: the request is sent, with these fields besides its own.
    case load(adding: [HTTPHeaderFields.Field])
    /// It is the response.
    case serve
    /// It is served if the server confirms it. The request has these fields besides its own.
    case validate(adding: [HTTPHeaderFields.Field])
    /// The caller forbids the network, and nothing is stored.
    case fail
    /// The request's `only-if-cached` forbids the network, and nothing is stored: 504.
    case gatewayTimeout

    /// Decides by HTTP's rules.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - stored: what is stored and was selected by the request; `nil`: nothing.
    ///   - now: seconds since 1970.
    public init(_ request: CacheRequest, stored: StoredHead?, now: Double) {
        let stored = request.mayBeServed ? stored : nil
        let requestControl = CacheControl(request.fields["Cache-Control"])
        let verdict = Self.verdict(request, requestControl, stored, now)
        self = requestControl.has("only-if-cached") && verdict != .serve ? .gatewayTimeout : verdict
    }

    /// Asks all caches on the way not to use a stored response.
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
            // §5.4: only where there is no Cache-Control.
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

    /// The verdict if a stored response may be served only after the server has confirmed it.
    public static func validation(_ stored: StoredHead?) -> CacheVerdict {
        guard let stored, CacheValidation.isPossible(stored) else { return .load(adding: []) }
        return .validate(adding: CacheValidation.conditions(stored))
    }
}

/// Whether a response is stored
/// ([RFC 9111 §3](https://www.rfc-editor.org/rfc/rfc9111#section-3)), as in a private cache:
/// `private` and `Authorization` do not forbid it, `s-maxage` and `proxy-revalidate` mean nothing.
public enum StoreVerdict: Sendable, Hashable {
    /// It is.
    case store
    /// It is not.
    case skip(Reason)

    /// Why a response is not stored.
    public enum Reason: Sendable, Hashable {
        /// Only responses to GET are.
        case method
        /// The request asks for a range, or has conditions of its own.
        case special
        /// Responses with this status are not stored.
        case status
        /// The request or the response says `no-store`.
        case forbidden
        /// `Vary: *`: no request would ever match it.
        case variesOnEverything
        /// Neither the status nor a field allows it.
        case notAllowed
        /// It is stale at once, and cannot be validated.
        case useless
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - storedHead: what of the response would be stored.
    ///   - fields: the response's fields as they came.
    ///   - keepsStale: whether a response that is stale at once is stored too, because the policy serves it.
    public init(
        _ request: CacheRequest,
        _ storedHead: StoredHead,
        fields: HTTPHeaderFields,
        keepsStale: Bool
    ) {
        self = Self.reason(request, storedHead, fields, keepsStale).map(Self.skip) ?? .store
    }

    private static func reason(
        _ request: CacheRequest,
        _ storedHead: StoredHead,
        _ fields: HTTPHeaderFields,
        _ keepsStale: Bool
    ) -> Reason? {
        let control = CacheControl(fields["Cache-Control"])
        guard request.method == "GET" else { return .method }
        guard !request.isSpecial else { return .special }
        guard !CacheableStatus.isNeverStored(storedHead.status) else { return .status }
        // §5.2.2.3: a cache that understands the status may store in spite of no-store.
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

/// Validation of a stored response ([RFC 9111
/// §4.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.3)).
public enum CacheValidation {
    /// Whether a stored response has a validator.
    public static func isPossible(_ storedHead: StoredHead) -> Bool {
        !conditions(storedHead).isEmpty
    }

    /// The fields that make a request conditional; none where the response has no validator.
    ///
    /// Both, since a server that knows entity tags ignores the date (RFC 9110 §13.1.3).
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

    /// Whether a 304 confirms the stored response (§4.3.4): with the strong tag of another entity it does
    /// not.
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

    /// A tag without its `W/` prefix: what two must have in common (RFC 9110 §8.8.3.2).
    private static func weak(_ tag: String) -> Substring {
        tag.droppingBytes(of: "W/") ?? tag[...]
    }
}
