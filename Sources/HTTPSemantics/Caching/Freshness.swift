/// How old a stored response is, and how old it may become
/// ([RFC 9111 §4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)).
public struct Freshness: Sendable, Hashable {
    /// The longest guessed lifetime, seconds: after an hour a validation costs one round trip, and a command
    /// wants the current state.
    private static let longestGuess = 3_600.0
    /// How far in the future a response's time may be, seconds: beyond that, the clock was wrong.
    private static let clockTolerance = 60.0

    /// How old it may become, seconds; 0 where it is never fresh.
    public let lifetime: Double
    /// How old it is, seconds.
    public let age: Double
    /// Whether the lifetime is a guess.
    public let isHeuristic: Bool

    /// How long it has been stale, seconds; negative while it is fresh.
    public var staleness: Double { age - lifetime }
    /// Whether it may be served without asking its server.
    public var isFresh: Bool { age < lifetime }

    /// Computes age and lifetime.
    ///
    /// - Parameters:
    ///   - storedHead: what is stored.
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

    /// The first member, where it is a number; else nothing
    /// ([RFC 9111 §5.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.1)).
    private static func ageValue(_ fields: HTTPHeaderFields) -> Double {
        let first = fields["Age"]?.split(byte: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .first
        return first.flatMap { CacheControl.seconds(HTTPSyntax.trimmed($0)) }.map(Double.init) ?? 0
    }

    /// §4.2.1, as a private cache: `s-maxage` means nothing.
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
        return min(max(0, date - Double(modified)) / 10, longestGuess)
    }
}

/// Statuses and storing.
public enum CacheableStatus {
    /// Whether a response without directives may be stored, and its lifetime be
    /// guessed ([RFC 9110 §15.1](https://www.rfc-editor.org/rfc/rfc9110#section-15.1)).
    public static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether its meaning for a cache is known here, so that `must-understand` is satisfied:
    /// the final ones of RFC 9110, without those that are not stored.
    public static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400, 402...406, 408...417, 422, 426, 500...505:
            true
        default: false
        }
    }

    /// Whether it is never stored: parts, results of conditions, and challenges, which must be requested
    /// again.
    public static func isNeverStored(_ status: Int) -> Bool {
        status < 200 || status > 599 || [206, 304, 401, 407, 412, 416, 417].contains(status)
    }
}

/// Serving a stale response, if the server fails ([RFC 5861
/// §4](https://www.rfc-editor.org/rfc/rfc5861#section-4)).
///
/// `stale-while-revalidate` is not used: a process that ends with its response cannot ask
/// afterwards.
public enum StaleService {
    /// Whether `stale-if-error` lets a response be served in the place of an error.
    ///
    /// - Parameters:
    ///   - storedHead: what is stored.
    ///   - request: what is asked; it may allow it too.
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

    /// Whether a status is an error in this sense.
    public static func isError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
