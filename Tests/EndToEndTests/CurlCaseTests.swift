import TestSupport
import Testing

/// Cases of curl's test suite that fetch once failed.
@Suite("Cases of curl's test suite", .timeLimit(.minutes(1)))
struct CurlCaseTests {
    /// A server that reads each request completely, and responds to it.
    private static func server(
        _ respond: @escaping @Sendable (HTTPHead, [UInt8], SocketConnection) throws -> Void
    ) throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                try respond(head, try connection.readBody(head), connection)
            }
        }
    }

    @Test("C-03 fetch reports malformed lines of a cookie file, and uses the others")
    func oddCookies() async throws {
        let server = try Self.server { _, _, connection in try connection.respond() }
        let folder = try TemporaryFolder("cookies")
        let good = "127.0.0.1\tFALSE\t/\tFALSE\t0\t"
        let lines = [
            "\u{FEFF}\(good)a\t1", "  ", "127.0.0.1\tFALSE\t/\tFALSE\t-1\tb\t2",
            "\(good)c\t3\tmore",
            "127.0.0.1 FALSE / FALSE 0 d 4", "\(good)e\t5",
        ]
        try folder.write(lines.joined(separator: "\n") + "\n", to: "jar")
        let result = try await FetchProcess.run(
            "-O-",
            "--load-cookies",
            "jar",
            server.url(),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.map { $0["Cookie"] } == ["a=1; e=5"])
        for line in [3, 4, 5] {
            #expect(result.stderr.contains("warning: jar: line \(line) is not"), "\(result)")
        }
        for line in [1, 2, 6] { #expect(!result.stderr.contains("line \(line) ")) }
    }

    @Test("C-03 --cookie is sent after the jar's cookies, and a Cookie header replaces them")
    func cookieBesideJar() async throws {
        let server = try Self.server { _, _, connection in
            try connection.respond("200 OK", ["Set-Cookie: set=1"])
        }
        let folder = try TemporaryFolder("cookies")
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tjar\t1\n", to: "jar")
        let load = ["-O-", "-j1", "--load-cookies", "jar"]
        let urls = [server.url("/1"), server.url("/2")]
        for own in [["--cookie", "own=1"], ["-H", "Cookie: own=1"]] {
            let result = try await FetchProcess(load + own + urls, in: folder).run()
            #expect(result.status == 0, "\(result)")
        }
        #expect(
            server.heads.map { $0.values("Cookie") } == [
                ["jar=1; own=1"], ["jar=1; set=1; own=1"], ["own=1"], ["own=1"],
            ]
        )
    }

    @Test(
        "A-02 fetch uses a password without a user in .netrc, with --auth basic at once",
        arguments: [([], 2), (["--auth", "basic"], 1)] as [([String], Int)]
    )
    func passwordAlone(arguments: [String], requests: Int) async throws {
        let server = try Self.server { head, _, connection in
            let isKnown = head["Authorization"] == "Basic OnB3"
            try connection.respond(
                isKnown ? "200 OK" : "401 Auth",
                isKnown ? [] : ["WWW-Authenticate: Basic realm=\"r\""]
            )
        }
        let home = try TemporaryFolder("home")
        try home.write("machine 127.0.0.1 password pw\n", to: ".netrc")
        let result = try await FetchProcess(["-O-"] + arguments + [server.url()], home: home).run()
        #expect(result.status == 0, "\(result)")
        #expect(server.requestCount == requests)
        // Other users can read it.
        #expect(result.stderr.contains(".netrc"), "\(result)")
    }

    @Test(
        "A-02 a refused .netrc password of --auth basic is sent once",
        arguments: [[], ["-u", "name"]]
    )
    func refusedAtOnce(arguments: [String]) async throws {
        let server = try Self.server { _, _, connection in
            try connection.respond("401 Auth", ["WWW-Authenticate: Basic realm=\"r\""])
        }
        let home = try TemporaryFolder("home")
        try home.write("machine 127.0.0.1 login name password pw\n", to: ".netrc")
        let line = ["-qO-", "--auth", "basic"] + arguments + [server.url()]
        let result = try await FetchProcess(line, home: home).run()
        #expect(result.status == 6, "\(result)")
        #expect(server.requestCount == 1)
    }

    @Test("T-05 a short body is sent at once, and a pipe waits for 100 Continue")
    func expectation() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head["Authorization"] == nil else {
                _ = try connection.readBody(head)
                return try connection.respond()
            }
            if head["Expect"] == nil { _ = try connection.readBody(head) }
            let fields = ["WWW-Authenticate: Basic realm=\"r\"", "Connection: close"]
            try connection.respond("401 Auth", fields)
        }
        let url = server.url("/x")
        let short = try await FetchProcess.run("-qO-", "-u", "a:b", "-d", "x=1", url)
        #expect(short.status == 0, "\(short)")
        #expect(server.heads.map { $0["Expect"] } == [nil, nil])
        let pipe = try await FetchProcess.run(
            "-qO-",
            "-u",
            "a:b",
            "--upload-file",
            "-",
            url,
            input: .text("body")
        )
        #expect(pipe.status == 0, "\(pipe)")
        #expect(server.heads.map { $0["Expect"] } == [nil, nil, "100-continue", nil])
    }

    @Test("T-05 a pipe without a spool is sent once through a proxy with a password")
    func proxyExpectation() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head["Proxy-Authorization"] != nil else {
                let fields = ["Proxy-Authenticate: Basic realm=\"r\"", "Connection: close"]
                return try connection.respond("407 Auth", fields)
            }
            try connection.respond(body: try connection.readBody(head))
        }
        let result = try await FetchProcess.run(
            "-qO-",
            "--proxy",
            server.url("").replacing("//", with: "//u:p@"),
            "--spool-limit",
            "0",
            "--upload-file",
            "-",
            "http://h.example/x",
            input: .text("body")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "body")
        #expect(server.heads.map { $0["Expect"] } == ["100-continue", nil])
    }

    @Test(
        "T-05 a repeated pipe has a Content-Length, which HTTP/1.0 servers need",
        arguments: [["--upload-file", "-"], ["-d", "@-"], ["-F", "f=@-"]]
    )
    func repeatedLength(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let body = try connection.readBody(head)
            let isFirst = head.target == "/first"
            let line = isFirst ? "307 There\r\nLocation: /next" : "200 OK"
            try connection.send("HTTP/1.0 \(line)\r\n\r\n")
            if !isFirst { try connection.send(body) }
        }
        let line = ["-qO-"] + arguments + [server.url("/first")]
        let result = try await FetchProcess(line, input: .text("body")).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("body"))
        #expect(server.heads.map { $0["Transfer-Encoding"] } == ["chunked", nil])
        #expect(server.heads.last?["Content-Length"] != nil)
    }

    @Test(
        "A-01 a server that accepts NTLM's empty first message receives the body, and responds to it"
    )
    func emptyMessage() async throws {
        let server = try Self.server { head, body, connection in
            // The first connection receives an NTLM challenge, and all others are accepted.
            let isFirst = connection.number == 0 && head["Authorization"] == nil
            try connection.respond(
                isFirst ? "401 Auth" : "200 OK",
                isFirst ? ["WWW-Authenticate: NTLM", "Connection: close"] : [],
                body: Array("got \(body.count)".utf8)
            )
        }
        let url = server.url()
        let line = ["-qO-", "-u", "a:b", "--auth", "ntlm"]
        let result = try await FetchProcess(line + ["-d", "x=1", url]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "got 3")
        #expect(server.heads.map { $0["Content-Length"] } == ["3", "0", "3"])
    }

    @Test("fetch shows a host name beyond ASCII in the form for servers")
    func internationalName() async throws {
        let url = "http://b\u{FC}cher.invalid/x"
        let plan = try await FetchProcess.run("--dry-run", url)
        #expect(plan.stdoutText.hasPrefix("GET http://xn--bcher-kva.invalid/x\n"), "\(plan)")
        let server = try Self.server { _, _, connection in
            try connection.respond("302 Found", ["Location: \(url)"])
        }
        let result = try await FetchProcess.run("-O-", "-w", "%{url_effective}", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(!result.stdoutText.contains("%C3") && !result.stderr.contains("%C3"), "\(result)")
    }
}
