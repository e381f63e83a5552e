import Foundation
import TestSupport
import Testing

@Suite("Examples: cache, cookies and retries", .timeLimit(.minutes(1)))
struct StorageExampleTests {
    @Test(
        "C-01 C-02 T-12 Cache: each policy works from one run to the next; a delegate keeps text only"
    )
    func cache() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        let name = "example-cache.txt"
        try nginx.addFile(name, text: "old", modified: 1_600_000_000)
        let url = nginx.url("/cached/\(name)?control=max-age=600")
        func run(_ policy: String) async throws -> [String] {
            try await Example.run("Cache", "kept", policy, url, in: folder).lines
        }
        #expect(try await run("cache-dont-load") == ["error -2000"])
        #expect(try await run("protocol") == ["old", "keep 3 bytes", "from the server"])
        #expect(try await run("protocol") == ["old", "from the cache"])
        try nginx.addFile(name, text: "newer", modified: 1_600_000_100)
        #expect(try await run("cache-else-load") == ["old", "from the cache"])
        #expect(try await run("revalidate") == ["newer", "keep 5 bytes", "from the server"])
        #expect(try await run("reload") == ["newer", "keep 5 bytes", "from the server"])
        #expect(try await run("cache-dont-load") == ["newer", "from the cache"])
        #expect(await nginx.accessLog("/cached/\(name)", waitingFor: 3).count == 3)
    }

    @Test("T-12 Cache: the client requests again the response that the delegate did not keep")
    func notKept() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        try nginx.addFile("example-cache.json", text: "{}")
        let url = nginx.url("/cached/example-cache.json?control=max-age=600")
        for _ in 1...2 {
            let lines = try await Example.run("Cache", "kept", "protocol", url, in: folder).lines
            #expect(lines == ["{}", "keep nothing", "from the server"])
        }
    }

    @Test(
        "C-03 Cookies: a file keeps the caller's and servers' cookies from run to run, by the policy"
    )
    func cookies() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        func run(_ policy: String, _ urls: String...) async throws -> [String] {
            try await FetchProcess(program: "Cookies", ["jar", policy] + urls, in: folder).run()
                .lines
        }
        let set = nginx.url("/cookies/set/fruit/pear")
        let never = try await run("never", set)
        #expect(never == ["status 200", "127.0.0.1: language=en"])
        let always = try await run("always", set, nginx.url("/echo/x"))
        #expect(
            always.contains("cookie: fruit=pear; language=en")
                || always.contains("cookie: language=en; fruit=pear"),
            "\(always)"
        )
        #expect(always.suffix(2) == ["127.0.0.1: fruit=pear", "127.0.0.1: language=en"])
        // A cookie of another host is not kept, since the first URL is the main document.
        let elsewhere = "http://localhost:\(nginx.httpPort)/cookies/set/drink/tea"
        let main = try await run("main-document", nginx.url("/echo/x"), elsewhere)
        #expect(main.suffix(2) == ["127.0.0.1: fruit=pear", "127.0.0.1: language=en"])
        let jar = try #require(folder.readText("jar"))
        #expect(jar.contains("\tfruit\tpear\n"))
        #expect(!jar.contains("drink"))
    }

    @Test("T-14 T-15 ErrorsAndRetries: the client obeys Retry-After and retries a transient error")
    func retries() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            switch connection.number {
            case 0: try connection.respond("503 Busy", ["Retry-After: 1", "Connection: close"])
            case 1: break
            default: try connection.respond("200 OK", ["Connection: close"], body: "text")
            }
        }
        let result = try await Example.run("ErrorsAndRetries", server.url("/"))
        #expect(
            result.lines == [
                "try 1: status 503", "try 2: error -1005", "try 3: status 200, 4 bytes",
            ]
        )
        #expect(result.wallSeconds >= 1)
    }

    @Test(
        "T-14 ErrorsAndRetries: errors have Foundation's numbers; a permanent error is tried once"
    )
    func numbers() async throws {
        let silent = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let nginx = try Nginx.shared
        for (url, error, isTriedAgain) in [
            ("http://127.0.0.1:1/", -1_004, true), (silent.url(), -1_001, true),
            (nginx.selfSignedURL("/"), -1_202, false), (nginx.expiredURL("/"), -1_201, false),
            (nginx.wrongHostURL("/"), -1_202, false),
            (nginx.url("/redirect/loop"), -1_007, false), ("gopher://127.0.0.1/", -1_002, false),
            ("file:///no/such/file", -1_100, false),
        ] {
            let lines = try await Example.run(
                "ErrorsAndRetries",
                url,
                "2",
                environment: ["SSL_CERT_FILE": try Certificates.shared.authority]
            ).lines
            #expect(lines.count == (isTriedAgain ? 2 : 1), "\(url): \(lines)")
            #expect(lines.allSatisfy { $0.contains(": error \(error)") }, "\(url): \(lines)")
        }
    }

    @Test("T-15 ErrorsAndRetries: without a network the task waits for one", .needs(.networks))
    func waiting() async throws {
        let network = try IsolatedNetwork(isUp: false)
        try network.folder.write("here", to: "root/file")
        var process = try network.fetch([network.url("/file")])
        process.environment["FETCH"] = try FetchProcess.built("ErrorsAndRetries")
        let running = try process.start()
        try await running.waitForStdout(bytes: 27)
        try network.setLink(isUp: true)
        let result = try await running.wait()
        #expect(result.lines == ["no network: waiting for one", "try 1: status 200, 4 bytes"])
    }
}
