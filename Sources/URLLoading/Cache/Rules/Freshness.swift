/// How old a stored answer is, and how old it may become
/// ([RFC 9111 §4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)).
struct Freshness: Sendable, Hashable {
    /// The most that is guessed, seconds: after an hour asking costs one round trip, and a command
    /// is a question about now.
    private static let longestGuess = 3_600.0
    /// How far in the future an answer may have come, seconds: more, and the clock was wrong.
    private static let clockTolerance = 60.0

    /// How old it may become, seconds; 0 where it is never fresh.
    let lifetime: Double
    /// How old it is, seconds.
    let age: Double
    /// Whether the lifetime is a guess.
    let isHeuristic: Bool

    /// How long it has been stale, seconds; negative while it is fresh.
    var staleness: Double { age - lifetime }
    var isFresh: Bool { age < lifetime }

    /// - Parameters:
    ///   - answer: what is stored.
    ///   - now: seconds since 1970.
    init(_ answer: StoredAnswer, now: Double) {
        let date = answer.fields["Date"].flatMap { HTTPDate.seconds($0, now: answer.responseTime) }
        let dateValue = date.map(Double.init) ?? answer.responseTime
        // §4.2.3
        let apparentAge = max(0, answer.responseTime - dateValue)
        let delay = max(0, answer.responseTime - answer.requestTime)
        let correctedAge = Self.ageValue(answer.fields) + delay
        let initialAge = max(apparentAge, correctedAge)
        age = initialAge + max(0, now - answer.responseTime)
        if answer.responseTime > now + Self.clockTolerance {
            (lifetime, isHeuristic) = (0, false)
        } else {
            (lifetime, isHeuristic) = Self.lifetime(answer, dateValue)
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
        _ answer: StoredAnswer,
        _ date: Double
    ) -> (Double, isHeuristic: Bool) {
        let control = CacheControl(answer.fields["Cache-Control"])
        switch control.delta("max-age") {
        case .seconds(let seconds): return (Double(seconds), false)
        case .bare, .invalid: return (0, false)
        case .absent: break
        }
        if let expires = answer.fields["Expires"] {
            let moment = HTTPDate.seconds(expires, now: answer.responseTime).map(Double.init)
            return (max(0, (moment ?? date) - date), false)
        }
        return (guess(answer, control, date), true)
    }

    /// §4.2.2: a tenth of the time since the last change.
    private static func guess(
        _ answer: StoredAnswer,
        _ control: CacheControl,
        _ date: Double
    ) -> Double {
        guard CacheableStatus.isHeuristic(answer.status) || control.has("public"),
            let text = answer.fields["Last-Modified"],
            let modified = HTTPDate.seconds(text, now: answer.responseTime)
        else { return 0 }
        return min(max(0, date - Double(modified)) / 10, longestGuess)
    }
}
