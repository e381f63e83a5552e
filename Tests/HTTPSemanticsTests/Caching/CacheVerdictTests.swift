import HTTPSemantics
import Testing

@Suite("Verdicts on a stored response")
struct CacheVerdictTests {
    /// A verdict without its associated values.
    enum Kind: Sendable {
        case load
        case serve
        case validate
        case fail
        case gatewayTimeout

        init(_ verdict: CacheVerdict) {
            self =
                switch verdict {
                case .load: .load
                case .serve: .serve
                case .validate: .validate
                case .fail: .fail
                case .gatewayTimeout: .gatewayTimeout
                }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        /// `nil`: nothing is stored.
        var stored: [String]?
        var request: [String] = []
        /// Seconds after the response arrived.
        var after = 5.0
        var verdict: Kind
        var testDescription: String {
            "\(stored ?? ["nothing"]) after \(after) s, asked with \(request)"
        }
    }

    private static let ten = ["Cache-Control: max-age=10", "ETag: \"a\""]

    private static func ten(_ more: String) -> [String] {
        ["Cache-Control: max-age=10, \(more)", "ETag: \"a\""]
    }

    @Test(
        "C-01 a fresh response is served, a stale one validated, and one without validator loaded",
        arguments: [
            Case(stored: nil, verdict: .load),
            Case(stored: ten, verdict: .serve),
            Case(stored: ten, after: 10, verdict: .validate),
            Case(stored: ["Cache-Control: max-age=10"], after: 10, verdict: .load),
            Case(stored: ten + ["Age: 6"], verdict: .validate),
            Case(stored: ["ETag: \"a\""], verdict: .validate),
            Case(stored: ten("no-cache"), verdict: .validate),
            Case(stored: ["Cache-Control: max-age=10, no-cache"], verdict: .load),
            Case(stored: ten("no-cache=\"x\""), verdict: .serve),
            Case(stored: ten("private"), verdict: .serve),
            Case(stored: ten("s-maxage=1"), verdict: .serve),
            Case(stored: ten("must-revalidate"), verdict: .serve),
            Case(stored: ten("must-revalidate"), after: 10, verdict: .validate),
            Case(stored: ten("immutable"), after: 10, verdict: .validate),
            Case(stored: ten("stale-while-revalidate=99"), after: 11, verdict: .validate),
            Case(stored: ten("stale-if-error=99"), after: 11, verdict: .validate),
            Case(stored: ten + ["Pragma: no-cache"], verdict: .serve),
        ]
    )
    func serves(_ sample: Case) throws {
        try check(sample)
    }

    @Test(
        "C-01 the cache obeys a request's own directives (RFC 9111 §5.2.1)",
        arguments: [
            Case(stored: ten, request: ["Cache-Control: no-cache"], verdict: .validate),
            Case(stored: nil, request: ["Cache-Control: no-cache"], verdict: .load),
            Case(stored: ten, request: ["Pragma: no-cache"], verdict: .validate),
            Case(stored: ten, request: ["Pragma: x, NO-CACHE"], verdict: .validate),
            Case(
                stored: ten,
                request: ["Pragma: no-cache", "Cache-Control: max-age=99"],
                verdict: .serve
            ),
            Case(stored: ten, request: ["Cache-Control: no-store"], verdict: .serve),
            Case(stored: ten, request: ["Cache-Control: max-age=0"], verdict: .validate),
            Case(stored: ten, request: ["Cache-Control: max-age=4"], verdict: .validate),
            Case(stored: ten, request: ["Cache-Control: max-age=5"], verdict: .serve),
            Case(stored: ten, request: ["Cache-Control: max-age=junk"], verdict: .validate),
            Case(stored: ten, request: ["Cache-Control: min-fresh=5"], verdict: .serve),
            Case(stored: ten, request: ["Cache-Control: min-fresh=6"], verdict: .validate),
            Case(stored: ten, request: ["Cache-Control: max-stale"], after: 99, verdict: .serve),
            Case(stored: ten, request: ["Cache-Control: max-stale=2"], after: 12, verdict: .serve),
            Case(
                stored: ten,
                request: ["Cache-Control: max-stale=2"],
                after: 13,
                verdict: .validate
            ),
            Case(
                stored: ten("must-revalidate"),
                request: ["Cache-Control: max-stale"],
                after: 11,
                verdict: .validate
            ),
            Case(
                stored: ten("no-cache"),
                request: ["Cache-Control: max-stale"],
                verdict: .validate
            ),
            Case(stored: ten, request: ["Cache-Control: only-if-cached"], verdict: .serve),
            Case(
                stored: ten,
                request: ["Cache-Control: only-if-cached"],
                after: 11,
                verdict: .gatewayTimeout
            ),
            Case(stored: nil, request: ["Cache-Control: only-if-cached"], verdict: .gatewayTimeout),
            Case(stored: ten, request: ["Range: bytes=0-1"], verdict: .load),
            Case(stored: ten, request: ["If-None-Match: \"z\""], verdict: .load),
            Case(stored: ten, request: ["If-Modified-Since: \(momentText)"], verdict: .load),
            Case(stored: ten, request: ["If-Match: \"z\""], verdict: .load),
        ]
    )
    func requests(_ sample: Case) throws {
        try check(sample)
    }

    private func check(_ sample: Case) throws {
        let verdict = CacheVerdict(
            try asked(sample.request),
            stored: try sample.stored.map { try stored($0) },
            now: moment + sample.after
        )
        #expect(Kind(verdict) == sample.verdict)
    }

    @Test("C-01 a validation sends the entity tag and the date that the response has")
    func conditions() throws {
        func conditions(_ lines: [String]) throws -> [String] {
            CacheValidation.conditions(try stored(lines)).map { "\($0.name): \($0.value)" }
        }
        let date = "Last-Modified: \(momentText)"
        #expect(try conditions(["ETag: \"a\""]) == ["If-None-Match: \"a\""])
        #expect(try conditions(["ETag: W/\"a\""]) == ["If-None-Match: W/\"a\""])
        #expect(try conditions([date]) == ["If-Modified-Since: \(momentText)"])
        #expect(
            try conditions([date, "ETag: \"a\""])
                == ["If-None-Match: \"a\"", "If-Modified-Since: \(momentText)"]
        )
        #expect(try conditions(["Last-Modified: junk"]) == [])
        #expect(try conditions([]) == [])
    }
}
