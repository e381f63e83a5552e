/// Whether an answer is stored
/// ([RFC 9111 §3](https://www.rfc-editor.org/rfc/rfc9111#section-3)), as in a private cache:
/// `private` and `Authorization` do not forbid it, `s-maxage` and `proxy-revalidate` mean nothing.
enum StoreVerdict: Sendable, Hashable {
    case store
    case skip(Reason)

    /// Why it is not.
    enum Reason: Sendable, Hashable {
        /// Only answers to GET are.
        case method
        /// The request is about a part, or has conditions of its own.
        case special
        /// The status is none that is stored.
        case status
        /// The request or the answer says `no-store`.
        case forbidden
        /// `Vary: *`: no request would ever match it.
        case variesOnEverything
        /// Nothing allows it: neither the status nor a field.
        case notAllowed
        /// It is stale at once, and cannot be validated.
        case useless
    }

    /// - Parameters:
    ///   - request: what was asked.
    ///   - answer: what of the answer would be stored.
    ///   - head: the answer's head as it came.
    ///   - keepsStale: whether also what is stale at once is of use, since the policy serves it.
    init(_ request: CacheRequest, _ answer: StoredAnswer, _ head: HopHead, keepsStale: Bool) {
        self = Self.reason(request, answer, head, keepsStale).map(Self.skip) ?? .store
    }

    private static func reason(
        _ request: CacheRequest,
        _ answer: StoredAnswer,
        _ head: HopHead,
        _ keepsStale: Bool
    ) -> Reason? {
        let control = CacheControl(head.fields["Cache-Control"])
        guard request.method == "GET" else { return .method }
        guard !request.isSpecial else { return .special }
        guard !CacheableStatus.isNeverStored(head.status) else { return .status }
        // §5.2.2.3: whoever understands the status may store in spite of no-store.
        let isUnderstood = CacheableStatus.isUnderstood(head.status)
        if control.has("must-understand"), !isUnderstood { return .status }
        if control.has("no-store"), !control.has("must-understand") { return .forbidden }
        if CacheControl(request.fields["Cache-Control"]).has("no-store") { return .forbidden }
        guard VarySelection.names(head.fields) != nil else { return .variesOnEverything }
        let allows =
            CacheableStatus.isHeuristic(head.status)
            || ["public", "private", "max-age"].contains(where: control.has)
            || head.fields["Expires"] != nil
        guard allows else { return .notAllowed }
        guard keepsStale || CacheValidation.isPossible(answer) else {
            let lifetime = Freshness(answer, now: answer.responseTime)
            let mustAsk = control.has("no-cache") && control.fieldNames("no-cache") == nil
            return lifetime.isFresh && !mustAsk ? nil : .useless
        }
        return nil
    }
}
