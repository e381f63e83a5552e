import Testing
import URLLoading

@testable import FetchCommand

@Suite("Flags of the cache")
struct CachePlanTests {
    @Test("C-02 each word selects a policy; without one the client validates with the server")
    func policies() throws {
        func policy(_ flags: [String]) throws -> URLRequest.CachePolicy {
            try plan(["h"] + flags).session.settings.requestCachePolicy
        }
        #expect(try policy([]) == .reloadRevalidatingCacheData)
        #expect(try plan("h").session.cacheSize == nil)
        let reports = [
            ["-I"], ["-X", "HEAD"], ["-D", "d"], ["--write-out", "x"], ["--har", "h"],
            ["-O", "/dev/null"],
        ]
        for flags in reports {
            #expect(try policy(flags) == .reloadIgnoringLocalCacheData, "\(flags)")
            #expect(try policy(flags + ["--cache-policy=protocol"]) == .useProtocolCachePolicy)
        }
        let words = ["protocol", "reload", "revalidate", "prefer-cache", "only-cache"]
        #expect(Flags.named("--cache-policy")?.kind == .choice(words))
        for word in words.dropLast() {
            #expect(Flags.word(for: try policy(["--cache-policy", word])) == word)
        }
        #expect(usageError(["h", "--cache-policy", "always"]) != nil)
    }

    @Test(
        "--no-cache makes every cache on the way validate, unless a header of the user's contradicts"
    )
    func noCache() throws {
        let asked = try plan("h", "--no-cache")
        #expect(asked.session.settings.requestCachePolicy == .reloadIgnoringLocalAndRemoteCacheData)
        let lines = asked.tasks[0].headers.map { "\($0.name): \($0.value)" }
        #expect(lines.contains("Cache-Control: no-cache"))
        #expect(lines.contains("Pragma: no-cache"))
        let own = try plan("h", "--no-cache", "-H", "Cache-Control: max-age=0", "-H", "Pragma:")
        let ownLines = own.tasks[0].headers.map { "\($0.name): \($0.value)" }
        #expect(ownLines.contains("Cache-Control: max-age=0"))
        #expect(!ownLines.contains { $0.hasPrefix("Pragma") })
        #expect(usageError(["h", "--no-cache", "--cache-policy", "reload"]) != nil)
    }

    @Test("--cache-size takes a number of bytes, and 0 turns the cache off")
    func size() throws {
        #expect(try plan("h", "--cache-size", "10M").session.cacheSize == 10 << 20)
        #expect(try plan("h", "--cache-size", "0").session.cacheSize == 0)
        #expect(usageError(["h", "--cache-size", "much"]) != nil)
        let configuration = URLSessionConfiguration.make(try plan("h", "--cache-size", "0").session)
        #expect(configuration.urlCache == nil)
    }

    @Test("C-02 a request for the cache only is no download and sends no body")
    func onlyCache() throws {
        for kind in ["-O-", "-I"] {
            let session = try plan("h", kind, "--cache-policy=only-cache").session
            #expect(session.settings.requestCachePolicy == .returnCacheDataDontLoad)
        }
        #expect(usageError(["h", "--cache-policy=only-cache"]) != nil)
        #expect(usageError(["h", "-O", "f", "--cache-policy=only-cache"]) != nil)
        #expect(usageError(["h", "-d", "x", "--cache-policy=only-cache"]) != nil)
    }

    @Test("C-02 the words map to Foundation's policies")
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
