import Testing

@testable import URLLoading

@Suite("Cache policies")
struct CachePolicyVerdictTests {
    /// A verdict without its fields.
    private func kind(_ verdict: CacheVerdict) -> String {
        switch verdict {
        case .load: "load"
        case .serve: "serve"
        case .validate: "validate"
        case .fail: "fail"
        case .gatewayTimeout: "gatewayTimeout"
        }
    }

    @Test("C-02 each policy has its verdict on a missing, a fresh and a stale response")
    func policies() throws {
        let fresh = try stored(["Cache-Control: max-age=10", "ETag: \"a\""])
        let stale = try stored(["Cache-Control: max-age=1, no-cache", "ETag: \"a\""])
        let expected: [(URLRequest.CachePolicy?, [String])] = [
            (.useProtocolCachePolicy, ["load", "serve", "validate"]),
            (.reloadIgnoringLocalCacheData, ["load", "load", "load"]),
            (.reloadIgnoringLocalAndRemoteCacheData, ["load", "load", "load"]),
            (.returnCacheDataElseLoad, ["load", "serve", "serve"]),
            (.returnCacheDataDontLoad, ["fail", "serve", "serve"]),
            (.reloadRevalidatingCacheData, ["load", "validate", "validate"]),
            (nil, ["fail", "fail", "fail"]),
        ]
        for (policy, kinds) in expected {
            for (stored, kind) in zip([nil, fresh, stale], kinds) {
                let verdict = CacheVerdict(
                    try asked(),
                    policy: policy,
                    stored: stored,
                    now: moment + 5
                )
                #expect(self.kind(verdict) == kind, "\(String(describing: policy))")
            }
        }
    }

    @Test("C-02 only the policy about caches on the way sends them directives")
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

    @Test("C-02 a request is stricter than its session, never less strict")
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
