/// What a stored answer is to a request
/// ([RFC 9111 §4](https://www.rfc-editor.org/rfc/rfc9111#section-4)).
enum CacheVerdict: Sendable, Hashable {
    /// It is of no use, or there is none: the request goes out, with these fields besides its own.
    case load(adding: [HTTPHeaderFields.Field])
    /// It is the answer.
    case serve
    /// It is the answer if the server says so to a request with these fields besides its own.
    case validate(adding: [HTTPHeaderFields.Field])
    /// The network may not be used, as the policy says, and nothing is stored.
    case fail
    /// The same, as the request's own `only-if-cached` says: 504.
    case gatewayTimeout

    /// - Parameters:
    ///   - request: what is asked.
    ///   - policy: under which policy; `nil`: neither network nor cache may be used.
    ///   - stored: what is stored and was selected by the request; `nil`: nothing.
    ///   - now: seconds since 1970.
    init(
        _ request: CacheRequest,
        policy: URLRequest.CachePolicy?,
        stored: StoredAnswer?,
        now: Double
    ) {
        let stored = request.mayBeAnswered ? stored : nil
        switch policy {
        case nil: self = .fail
        case .reloadIgnoringLocalCacheData: self = .load(adding: [])
        case .reloadIgnoringLocalAndRemoteCacheData:
            self = .load(adding: Self.noCache.filter { request.fields[$0.name] == nil })
        case .returnCacheDataElseLoad: self = stored == nil ? .load(adding: []) : .serve
        case .returnCacheDataDontLoad: self = stored == nil ? .fail : .serve
        case .reloadRevalidatingCacheData: self = Self.validation(stored)
        case .useProtocolCachePolicy:
            let wish = CacheControl(request.fields["Cache-Control"])
            let verdict = Self.verdict(request, wish, stored, now)
            self = wish.has("only-if-cached") && verdict != .serve ? .gatewayTimeout : verdict
        }
    }

    /// What tells all caches on the way that they shall not answer.
    static let noCache = [
        HTTPHeaderFields.Field(name: "Cache-Control", value: "no-cache"),
        HTTPHeaderFields.Field(name: "Pragma", value: "no-cache"),
    ]

    private static func verdict(
        _ request: CacheRequest,
        _ wish: CacheControl,
        _ stored: StoredAnswer?,
        _ now: Double
    ) -> CacheVerdict {
        guard let stored else { return .load(adding: []) }
        let control = CacheControl(stored.fields["Cache-Control"])
        let mustAsk = control.has("no-cache") && control.fieldNames("no-cache") == nil
        let isUnwanted =
            wish.has("no-cache")
            // §5.4: only where there is no Cache-Control.
            || (wish.directives.isEmpty
                && StoredFields.members(request.fields["Pragma"]).contains("no-cache"))
        guard !mustAsk, !isUnwanted else { return validation(stored) }
        return accepts(Freshness(stored, now: now), wish, control) ? .serve : validation(stored)
    }

    /// Whether an answer is young enough for a request (§5.2.1).
    private static func accepts(
        _ freshness: Freshness,
        _ wish: CacheControl,
        _ control: CacheControl
    ) -> Bool {
        switch wish.delta("max-age") {
        case .absent: break
        case .seconds(let seconds): if freshness.age > Double(seconds) { return false }
        case .bare, .invalid: return false
        }
        switch wish.delta("min-fresh") {
        case .absent: break
        case .seconds(let seconds): if -freshness.staleness < Double(seconds) { return false }
        case .bare, .invalid: return false
        }
        guard !freshness.isFresh else { return true }
        guard !control.has("must-revalidate") else { return false }
        return switch wish.delta("max-stale") {
        case .absent, .invalid: false
        case .bare: true
        case .seconds(let seconds): freshness.staleness <= Double(seconds)
        }
    }

    private static func validation(_ stored: StoredAnswer?) -> CacheVerdict {
        guard let stored, CacheValidation.isPossible(stored) else { return .load(adding: []) }
        return .validate(adding: CacheValidation.conditions(stored))
    }
}
