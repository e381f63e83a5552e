/// The age of a stored response, and the age at which it becomes stale ([RFC 9111
/// §4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)).
public struct Freshness: Sendable, Hashable {
    /// The longest guessed lifetime in seconds.
    ///
    /// After an hour a validation costs one round trip, and a command needs the current state.
    private static let maximumGuess = 3_600.0
    /// The seconds that a response's time may be in the future: beyond that, the clock was wrong.
    private static let clockTolerance = 60.0

    /// The lifetime in seconds; 0 if the response is never fresh.
    public let lifetime: Double
    /// The age in seconds.
    public let age: Double
    /// Whether the lifetime is a guess.
    public let isHeuristic: Bool

    /// The seconds since the response became stale; negative while it is fresh.
    public var staleness: Double { age - lifetime }
    /// Whether the cache may serve it without the server's confirmation.
    public var isFresh: Bool { age < lifetime }

    /// Computes age and lifetime.
    ///
    /// - Parameters:
    ///   - storedHead: the stored response.
    ///   - now: seconds since 1970.
    public init(_ storedHead: StoredHead, now: Double) {
        let date = storedHead.fields["Date"].flatMap {
            HTTPDate.seconds($0, now: storedHead.responseTime)
        }
        let dateValue = date.map(Double.init) ?? storedHead.responseTime
        // §4.2.3
        let apparentAge = max(0, storedHead.responseTime - dateValue)
        let delay = max(0, storedHead.responseTime - storedHead.requestTime)
        let correctedAge = Self.ageValue(storedHead.fields) + delay
        let initialAge = max(apparentAge, correctedAge)
        age = initialAge + max(0, now - storedHead.responseTime)
        if storedHead.responseTime > now + Self.clockTolerance {
            (lifetime, isHeuristic) = (0, false)
        } else {
            (lifetime, isHeuristic) = Self.lifetime(storedHead, dateValue)
        }
    }

    /// The first member of `Age` if it is a number; otherwise 0 ([RFC 9111
    /// §5.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.1)).
    private static func ageValue(_ fields: HTTPHeaderFields) -> Double {
        let first = fields["Age"]?.split(byte: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .first
        return first.flatMap { CacheControl.seconds(HTTPSyntax.trimmed($0)) }.map(Double.init) ?? 0
    }

    /// §4.2.1, for a private cache: `s-maxage` has no effect.
    private static func lifetime(
        _ storedHead: StoredHead,
        _ date: Double
    ) -> (Double, isHeuristic: Bool) {
        let control = CacheControl(storedHead.fields["Cache-Control"])
        switch control.delta("max-age") {
        case .seconds(let seconds): return (Double(seconds), false)
        case .bare, .invalid: return (0, false)
        case .absent: break
        }
        if let expires = storedHead.fields["Expires"] {
            let moment = HTTPDate.seconds(expires, now: storedHead.responseTime).map(Double.init)
            return (max(0, (moment ?? date) - date), false)
        }
        return (guess(storedHead, control, date), true)
    }

    /// §4.2.2: a tenth of the time since the last change.
    private static func guess(
        _ storedHead: StoredHead,
        _ control: CacheControl,
        _ date: Double
    ) -> Double {
        guard CacheableStatus.isHeuristic(storedHead.status) || control.has("public"),
            let text = storedHead.fields["Last-Modified"],
            let modified = HTTPDate.seconds(text, now: storedHead.responseTime)
        else { return 0 }
        return min(max(0, date - Double(modified)) / 10, maximumGuess)
    }
}

/// Groups statuses by the rules for storing.
public enum CacheableStatus {
    /// Whether a cache may store a response without directives, and guess its lifetime ([RFC 9110
    /// §15.1](https://www.rfc-editor.org/rfc/rfc9110#section-15.1)).
    public static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether we know the status's rules for a cache, so that it satisfies `must-understand`.
    ///
    /// These are the final ones of RFC 9110, without those that a cache never stores.
    public static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400, 402...406, 408...417, 422, 426, 500...505:
            true
        default: false
        }
    }

    /// Whether a cache never stores the status.
    ///
    /// These are parts, results of conditions, and challenges, which each request needs anew.
    public static func isNeverStored(_ status: Int) -> Bool {
        status < 200 || status > 599 || [206, 304, 401, 407, 412, 416, 417].contains(status)
    }
}

/// Serves a stale response if the server fails.
///
/// See [RFC 5861 §4](https://www.rfc-editor.org/rfc/rfc5861#section-4). We ignore
/// `stale-while-revalidate`: a process that ends with its response cannot validate afterwards.
public enum StaleService {
    /// Whether `stale-if-error` lets the cache replace an error with a stored response.
    ///
    /// - Parameters:
    ///   - storedHead: the stored response.
    ///   - request: the request, which may allow it too.
    ///   - now: seconds since 1970.
    /// - Returns: whether it does.
    public static func mayServe(
        _ storedHead: StoredHead,
        to request: CacheRequest,
        now: Double
    ) -> Bool {
        let control = CacheControl(storedHead.fields["Cache-Control"])
        guard !control.has("must-revalidate"), !control.has("no-cache") else { return false }
        let limits = [control, CacheControl(request.fields["Cache-Control"])].compactMap {
            $0.delta("stale-if-error").seconds
        }
        guard let limit = limits.max() else { return false }
        return Freshness(storedHead, now: now).staleness <= Double(limit)
    }

    /// Whether a status is an error for `stale-if-error`.
    public static func isError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
