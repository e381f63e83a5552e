import Foundation
import TestSupport
import Testing

/// Responses from the cache: several runs with one home folder.
@Suite("The cache", .timeLimit(.minutes(2)))
struct CacheTests: CacheSuite {
    let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder("home")
    }

    /// Runs fetch with the policy of the servers' fields, so that fresh responses need no request.
    private func runTrusting(_ arguments: String...) async throws -> ProcessResult {
        let flags = ["-qO-", "--cache-policy=protocol"]
        return try await FetchProcess(flags + arguments, home: home).run()
    }

    @Test("a run asks the server, even where a stored response is fresh")
    func asks() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-asks", "1.0.0")
        for control in ["", "max-age=3600", "max-age=3600,immutable"] {
            try nginx.addFile(name, text: "1.0.0", modified: 1_600_000_000)
            let target = "/cached/\(name)?control=\(control)"
            #expect(try await run(nginx.url(target)).stdoutText == "1.0.0")
            #expect(try await run(nginx.url(target)).stdoutText == "1.0.0")
            try nginx.addFile(name, text: "2.0.0", modified: 1_600_000_500)
            #expect(try await run(nginx.url(target)).stdoutText == "2.0.0")
            #expect(try await statuses(target, 3) == [200, 304, 200])
        }
    }

    @Test("an unreachable server is exit status 4, whatever the cache contains")
    func dead() async throws {
        let flags = [["-qO-"], ["-q", "-O", "/dev/null"], ["-qI"]]
        for arguments in flags {
            let head = "Cache-Control: max-age=3600, stale-if-error=3600"
            let server = try SocketServer { connection in
                while try connection.nextHead() != nil {
                    try connection.respond("200 OK", [head, "ETag: \"a\""], body: "text")
                }
            }
            let url = server.url("/")
            let first = try await FetchProcess(arguments + [url], home: home).run()
            #expect(first.status == 0, "\(first)")
            server.stop()
            let gone = try await FetchProcess(arguments + ["-t1", url], home: home).run()
            #expect(gone.status == 4, "\(arguments): \(gone)")
            #expect(gone.stdoutText == "")
        }
    }

    @Test("flags that report a request make fetch request the whole response")
    func reported() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-reported", "text")
        let reports = [
            ["-O-", "--write-out", "%{http_code} %{size_download}"], ["-O-", "--har", "har"],
            ["-O-", "-D", "head"], ["-O", "/dev/null"], ["-I"],
        ]
        for (number, report) in reports.enumerated() {
            let target = "/cached/\(name)?control=max-age=60&\(number)"
            #expect(try await run(nginx.url(target)).status == 0)
            let arguments = ["-q"] + report + [nginx.url(target)]
            let result = try await FetchProcess(arguments, home: home).run()
            #expect(result.status == 0, "\(result)")
            if number == 0 { #expect(result.stdoutText == "text200 4") }
            #expect(try await statuses(target, 2) == [200, 200])
        }
    }

    @Test("fetch reports the age of a response from the cache, except with -q, and in events")
    func said() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-said", "text")
        let url = nginx.url("/cached/\(name)?control=max-age=60")
        #expect(try await run(url).status == 0)
        for policy in ["protocol", "prefer-cache", "only-cache"] {
            let flags = ["-O-", "--cache-policy=\(policy)", "--events-file", "events", url]
            let result = try await FetchProcess(flags, home: home).run()
            #expect(result.stdoutText == "text")
            #expect(result.stderr.contains(": from the cache, "), "\(result)")
            #expect(result.stderr.contains(" s old\n"), "\(result)")
            let events = try Events(result.folder.read("events"))
            let response = try #require(events.named("didReceiveResponse").first)
            #expect(response.object("response")["storedAge"] is Int)
            #expect(events.violations == [])
            #expect(try await run("--cache-policy=\(policy)", url).stderr == "")
        }
        let asked = try await FetchProcess.run("-O-", url, home: home)
        #expect(!asked.stderr.contains("cache"), "\(asked)")
    }

    @Test("C-01 fetch serves a fresh response without a request with --cache-policy=protocol")
    func fresh() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-fresh", "kept")
        let target = "/cached/\(name)?control=max-age=60"
        for _ in 0..<3 {
            let result = try await runTrusting(nginx.url(target))
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText == "kept")
        }
        #expect(try await statuses(target, 1) == [200])
        // Another query has another response.
        _ = try await runTrusting(nginx.url(target + "&x"))
        #expect(try await statuses(target + "&x", 1) == [200])
    }

    @Test("C-01 a stale response of nginx costs a 304, and a changed file is fetched again")
    func validated() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-validated", "first")
        let target = "/cached/\(name)?control=no-cache"
        #expect(try await run(nginx.url(target)).stdoutText == "first")
        #expect(try await run(nginx.url(target)).stdoutText == "first")
        #expect(try await statuses(target, 2) == [200, 304])
        try nginx.addFile(name, text: "other", modified: 1_600_000_100)
        #expect(try await run(nginx.url(target)).stdoutText == "other")
        #expect(try await run(nginx.url(target)).stdoutText == "other")
        #expect(try await statuses(target, 4) == [200, 304, 200, 304])
    }

    @Test("C-01 a large response is validated, and read from the disk unchanged")
    func large() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addLargeFile("cache-large", size: 5_000_000, seed: 9)
        let target = "/cached/cache-large?control=no-cache"
        for _ in 0..<2 {
            let result = try await run(nginx.url(target))
            #expect(isSameBytes(result.stdout, PseudoRandom.bytes(5_000_000, seed: 9)))
        }
        #expect(try await statuses(target, 2) == [200, 304])
    }

    @Test("C-01 a stale response of Apache is validated, and a PUT invalidates it")
    func apache() async throws {
        let apache = try Apache.shared
        let path = "/open/uploads/cache-\(UUID().uuidString)"
        func put(_ text: String) async throws {
            let body = try TemporaryFolder()
            let result = try await FetchProcess.run(
                "-q",
                "--upload-file",
                try body.write(text, to: "body"),
                apache.url(path),
                home: home
            )
            #expect(result.status == 0, "\(result)")
        }
        /// Apache's threads write log lines independently: each line must be there before the next
        /// request.
        func logged(_ count: Int) async -> [Int] {
            await apache.log.entries(waitingFor: count) { $0.target == path }.map(\.status)
        }
        try await put("one")
        #expect(await logged(1) == [201])
        let asked = ["-H", "Cache-Control: max-age=0", apache.url(path)]
        #expect(try await run(asked[0], asked[1], asked[2]).stdoutText == "one")
        #expect(await logged(2) == [201, 200])
        #expect(try await run(asked[0], asked[1], asked[2]).stdoutText == "one")
        #expect(await logged(3) == [201, 200, 304])
        try await put("second")
        let offline = try await run("--cache-policy=only-cache", apache.url(path))
        #expect(offline.status == 11, "\(offline)")
        #expect(try await run(apache.url(path)).stdoutText == "second")
    }

    @Test("C-01 a no-store response is not stored; large ages and private change nothing")
    func directives() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-directives", "text")
        let secret = "/cached/\(name)?control=no-store"
        for _ in 0..<2 { _ = try await run(nginx.url(secret)) }
        #expect(try await statuses(secret, 2) == [200, 200])
        #expect(!home.exists(".cache/fetch/answers/usage"))
        let own = "/cached/\(name)?control=private,max-age=60"
        for _ in 0..<2 { _ = try await runTrusting(nginx.url(own)) }
        #expect(try await statuses(own, 1) == [200])
    }

    @Test("C-01 each variant of Vary has its own stored response, compressed or not")
    func vary() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-vary", String(repeating: "text ", count: 1_000))
        let target = "/varied/\(name)?control=max-age=60"
        let plain = ["-H", "Accept-Encoding: identity", nginx.url(target)]
        for _ in 0..<2 {
            let result = try await runTrusting(plain[0], plain[1], plain[2])
            #expect(result.stdoutText.utf8.count == 5_000)
        }
        #expect(try await statuses(target, 1) == [200])
        let zipped = ["-H", "Accept-Encoding: gzip", nginx.url(target)]
        let first = try await runTrusting(zipped[0], zipped[1], zipped[2])
        let second = try await runTrusting(zipped[0], zipped[1], zipped[2])
        #expect(first.stdout == second.stdout)
        #expect(try await statuses(target, 2) == [200, 200])
        #expect(try await runTrusting(plain[0], plain[1], plain[2]).stdoutText.utf8.count == 5_000)
        #expect(try await statuses(target, 2).count == 2)
    }

    @Test("C-02 each policy sends its requests to nginx, and returns its response")
    func policies() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-policies", "old")
        let target = "/cached/\(name)?control=max-age=60"
        let url = nginx.url(target)
        let missing = try await run("--cache-policy=only-cache", url)
        #expect(missing.status == 11, "\(missing)")
        #expect(missing.stderr.contains("cannotLoadFromNetwork"), "\(missing)")
        #expect(try await run("--cache-policy=prefer-cache", url).stdoutText == "old")
        try nginx.addFile(name, text: "newer", modified: 1_600_000_200)
        for policy in ["protocol", "prefer-cache", "only-cache"] {
            let result = try await run("--cache-policy=\(policy)", url)
            #expect(result.stdoutText == "old", "\(policy): \(result)")
        }
        #expect(try await statuses(target, 1) == [200])
        #expect(try await run("--cache-policy=revalidate", url).stdoutText == "newer")
        #expect(try await run("--cache-policy=revalidate", url).stdoutText == "newer")
        #expect(try await run("--cache-policy=reload", url).stdoutText == "newer")
        #expect(try await run("--no-cache", url).stdoutText == "newer")
        #expect(try await statuses(target, 5) == [200, 200, 304, 200, 200])
        #expect(try await run("--cache-policy=only-cache", url).stdoutText == "newer")
    }

    @Test("--no-cache sends no-cache to every cache on the way, with downloads too")
    func noCache() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        _ = try await FetchProcess.run("-q", "--no-cache", server.url("/file"))
        _ = try await run("--no-cache", server.url("/file"))
        for head in server.heads {
            #expect(head["Cache-Control"] == "no-cache")
            #expect(head["Pragma"] == "no-cache")
        }
        #expect(server.heads.count == 2)
    }
}
