import Testing
import URLLoading

@testable import FetchCommand

@Suite("Flags of the cache")
struct CachePlanTests {
    @Test("C-02 each word is a policy; without one the server is asked")
    func policies() throws {
        #expect(
            try plan("h").session.cache
                == CachePlan(policy: .revalidate, refusesCaches: false, size: nil)
        )
        let reports = [
            ["-I"], ["-X", "HEAD"], ["-D", "d"], ["--write-out", "x"], ["--har", "h"],
            ["-O", "/dev/null"],
        ]
        for flags in reports {
            #expect(try plan(flags + ["h"]).session.cache.policy == .reload, "\(flags)")
            let own = flags + ["h", "--cache-policy=protocol"]
            #expect(try plan(own).session.cache.policy == .protocol)
        }
        for choice in CacheChoice.allCases where choice != .onlyCache {
            #expect(try plan("h", "--cache-policy", choice.rawValue).session.cache.policy == choice)
        }
        #expect(
            CacheChoice.allCases.map(\.rawValue).joined(separator: " ")
                == "protocol reload revalidate prefer-cache only-cache"
        )
        #expect(usageError(["h", "--cache-policy", "always"]) != nil)
    }

    @Test("--no-cache asks every cache on the way, unless a line of one's own says otherwise")
    func noCache() throws {
        let asked = try plan("h", "--no-cache")
        #expect(asked.session.cache.refusesCaches)
        let lines = asked.tasks[0].headers.map(\.description)
        #expect(lines.contains("Cache-Control: no-cache"))
        #expect(lines.contains("Pragma: no-cache"))
        let own = try plan("h", "--no-cache", "-H", "Cache-Control: max-age=0", "-H", "Pragma:")
        let ownLines = own.tasks[0].headers.map(\.description)
        #expect(ownLines.contains("Cache-Control: max-age=0"))
        #expect(!ownLines.contains { $0.hasPrefix("Pragma") })
        #expect(usageError(["h", "--no-cache", "--cache-policy", "reload"]) != nil)
    }

    @Test("--cache-size is a number of bytes, and 0 is no cache")
    func size() throws {
        #expect(try plan("h", "--cache-size", "10M").session.cache.size == 10 << 20)
        #expect(try plan("h", "--cache-size", "0").session.cache.size == 0)
        #expect(usageError(["h", "--cache-size", "much"]) != nil)
        let configuration = URLSessionConfiguration.make(
            try plan("h", "--cache-size", "0").session
        )
        #expect(configuration.urlCache == nil)
    }

    @Test("C-02 what only the cache may answer is no download and sends no body")
    func onlyCache() throws {
        #expect(
            try plan("h", "-O-", "--cache-policy=only-cache").session.cache.policy == .onlyCache
        )
        #expect(try plan("h", "-I", "--cache-policy=only-cache").session.cache.policy == .onlyCache)
        #expect(usageError(["h", "--cache-policy=only-cache"]) != nil)
        #expect(usageError(["h", "-O", "f", "--cache-policy=only-cache"]) != nil)
        #expect(usageError(["h", "-d", "x", "--cache-policy=only-cache"]) != nil)
    }

    @Test("C-02 the words become Foundation's policies")
    func configuration() throws {
        func policy(_ arguments: String...) throws -> URLRequest.CachePolicy {
            let plan = try plan(["h", "-O-"] + arguments).session
            return URLSessionConfiguration.make(plan).requestCachePolicy
        }
        #expect(try policy() == .reloadRevalidatingCacheData)
        #expect(try policy("--cache-policy=protocol") == .useProtocolCachePolicy)
        #expect(try policy("--cache-policy=reload") == .reloadIgnoringLocalCacheData)
        #expect(try policy("--cache-policy=revalidate") == .reloadRevalidatingCacheData)
        #expect(try policy("--cache-policy=prefer-cache") == .returnCacheDataElseLoad)
        #expect(try policy("--cache-policy=only-cache") == .returnCacheDataDontLoad)
        #expect(try policy("--no-cache") == .reloadIgnoringLocalAndRemoteCacheData)
    }
}
