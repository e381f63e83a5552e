/// Serving what is stale, where the server cannot say anything else
/// ([RFC 5861 §4](https://www.rfc-editor.org/rfc/rfc5861#section-4)).
///
/// `stale-while-revalidate` is not used: a run that ends with its answer leaves nobody behind who
/// could ask.
enum StaleService {
    /// Whether `stale-if-error` lets an answer be served in the place of an error.
    ///
    /// - Parameters:
    ///   - answer: what is stored.
    ///   - request: what is asked; it may allow it too.
    ///   - now: seconds since 1970.
    /// - Returns: whether it does.
    static func mayServe(_ answer: StoredAnswer, to request: CacheRequest, now: Double) -> Bool {
        let control = CacheControl(answer.fields["Cache-Control"])
        guard !control.has("must-revalidate"), !control.has("no-cache") else { return false }
        let limits = [control, CacheControl(request.fields["Cache-Control"])].compactMap {
            $0.delta("stale-if-error").seconds
        }
        guard let limit = limits.max() else { return false }
        return Freshness(answer, now: now).staleness <= Double(limit)
    }

    /// Whether a status is an error in this sense.
    static func isError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

    /// Whether a client-side error is one: the server could not be reached, or said nothing.
    static func isError(_ code: URLError.Code) -> Bool {
        switch code {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
            .dnsLookupFailed, .notConnectedToInternet:
            true
        default: false
        }
    }
}
