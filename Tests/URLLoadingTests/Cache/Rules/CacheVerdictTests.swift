import Testing

@testable import URLLoading

@Suite("What a stored answer is to a request")
struct CacheVerdictTests {
    /// A verdict without its fields.
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
        /// Seconds after the answer came.
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
        "C-01 what is fresh is served, what is stale is validated, and what cannot be is loaded",
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
    func answers(_ sample: Case) throws {
        try check(sample)
    }

    @Test(
        "C-01 a request's own directives are obeyed (RFC 9111 §5.2.1)",
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
            Case(
                stored: nil,
                request: ["Cache-Control: only-if-cached"],
                verdict: .gatewayTimeout
            ),
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
            policy: .useProtocolCachePolicy,
            stored: try sample.stored.map { try stored($0) },
            now: moment + sample.after
        )
        #expect(Kind(verdict) == sample.verdict)
    }

    @Test("C-02 each policy, with nothing stored, with what is fresh, and with what is stale")
    func policies() throws {
        let fresh = try stored(["Cache-Control: max-age=10", "ETag: \"a\""])
        let stale = try stored(["Cache-Control: max-age=1, no-cache", "ETag: \"a\""])
        let expected: [(URLRequest.CachePolicy?, [Kind])] = [
            (.useProtocolCachePolicy, [.load, .serve, .validate]),
            (.reloadIgnoringLocalCacheData, [.load, .load, .load]),
            (.reloadIgnoringLocalAndRemoteCacheData, [.load, .load, .load]),
            (.returnCacheDataElseLoad, [.load, .serve, .serve]),
            (.returnCacheDataDontLoad, [.fail, .serve, .serve]),
            (.reloadRevalidatingCacheData, [.load, .validate, .validate]),
            (nil, [.fail, .fail, .fail]),
        ]
        for (policy, kinds) in expected {
            for (stored, kind) in zip([nil, fresh, stale], kinds) {
                let verdict = CacheVerdict(
                    try asked(),
                    policy: policy,
                    stored: stored,
                    now: moment + 5
                )
                #expect(Kind(verdict) == kind, "\(String(describing: policy))")
            }
        }
    }

    @Test("C-02 only the policy that speaks of caches on the way sends them a word")
    func words() throws {
        func added(_ policy: URLRequest.CachePolicy, _ own: [String] = []) throws -> [String] {
            let verdict = CacheVerdict(try asked(own), policy: policy, stored: nil, now: moment)
            guard case .load(let fields) = verdict else { return ["none"] }
            return fields.map { "\($0.name): \($0.value)" }
        }
        #expect(try added(.reloadIgnoringLocalCacheData) == [])
        #expect(
            try added(.reloadIgnoringLocalAndRemoteCacheData)
                == ["Cache-Control: no-cache", "Pragma: no-cache"]
        )
        #expect(
            try added(.reloadIgnoringLocalAndRemoteCacheData, ["cache-control: max-age=0"])
                == ["Pragma: no-cache"]
        )
    }

    @Test("C-01 the server is asked by tag and by date, as far as the answer has them")
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

    @Test("C-02 a request is stricter than its session, never laxer")
    func strictness() {
        typealias Policy = URLRequest.CachePolicy
        let byStrictness: [Policy] = [
            .returnCacheDataElseLoad, .reloadRevalidatingCacheData, .reloadIgnoringLocalCacheData,
            .reloadIgnoringLocalAndRemoteCacheData,
        ]
        for policy in Policy.allCases {
            #expect(policy.underSession(.useProtocolCachePolicy) == policy)
            #expect(Policy.useProtocolCachePolicy.underSession(policy) == policy)
            #expect(policy.underSession(policy) == policy)
        }
        for (index, lax) in byStrictness.enumerated() {
            for strict in byStrictness[index...] {
                #expect(lax.underSession(strict) == strict)
                #expect(strict.underSession(lax) == strict)
            }
        }
        let offline = Policy.returnCacheDataDontLoad
        #expect(Policy.returnCacheDataElseLoad.underSession(offline) == offline)
        #expect(offline.underSession(.returnCacheDataElseLoad) == offline)
        for policy in byStrictness.dropFirst() {
            #expect(policy.underSession(offline) == nil)
            #expect(offline.underSession(policy) == nil)
        }
    }

    @Test("C-02 the policies have Foundation's numbers")
    func numbers() {
        typealias Policy = URLRequest.CachePolicy
        #expect(Policy.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(Policy.reloadIgnoringCacheData == .reloadIgnoringLocalCacheData)
        #expect(Policy(rawValue: 3) == .returnCacheDataDontLoad)
        #expect(Policy(rawValue: 5) == .reloadRevalidatingCacheData)
    }
}
