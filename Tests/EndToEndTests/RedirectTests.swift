import TestSupport
import Testing

/// Responses of the class 3xx.
@Suite("Redirects", .timeLimit(.minutes(1)))
struct RedirectTests {
    private static func fetch(_ url: String, _ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(["-q", "-O", "-"] + arguments + [url]).run()
    }

    @Test(
        "T-09 fetch follows redirects",
        arguments: ["301", "302", "303", "307", "308", "relative", "rooted"]
    )
    func followed(name: String) async throws {
        let result = try await Self.fetch(Nginx.shared.url("/redirect/\(name)"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("uri: /echo/target\n"))
        #expect(result.stdoutText.contains("method: GET\n"))
    }

    @Test(
        "T-09 fetch follows redirects up to a maximum, by default 20",
        arguments: [
            (20, [], 0), (21, [], 7), (3, ["--max-redirect", "3"], 0),
            (4, ["--max-redirect", "3"], 7), (1, ["--max-redirect", "0"], 7),
            (30, ["--max-redirect", "30"], 0),
        ] as [(Int, [String], Int32)]
    )
    func maximum(count: Int, arguments: [String], status: Int32) async throws {
        let url = try Nginx.shared.url("/redirect/chain/\(count)")
        let result = try await FetchProcess(["-q", "-O", "-"] + arguments + [url]).run()
        #expect(result.status == status, "\(result)")
        #expect(result.stdoutText == (status == 0 ? "end of chain\n" : ""))
        #expect(result.stderr.contains("httpTooManyRedirects -1007") == (status == 7))
    }

    @Test("a redirect loop is status 7 and leaves no file")
    func loop() async throws {
        let result = try await FetchProcess.run(Nginx.shared.url("/redirect/loop"))
        #expect(result.status == 7, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("T-09 the redirect's own body is the result with --redirect none")
    func none() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: /next"], body: "moved")
        }
        let result = try await FetchProcess.run("--redirect", "none", "-O", "out", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("out") == "moved")
        #expect(server.requestCount == 1)
    }

    @Test(
        "T-09 a redirect is the response with --redirect none, whatever its Location",
        arguments: [
            "myapp://callback?code=1", "ht tp://%%", "//", "file:///etc/passwd", "http://[::x/", "",
            "mailto:me@h.example", "http://h:99999/",
        ]
    )
    func noneAnywhere(location: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(location)"], body: "moved")
        }
        let result = try await Self.fetch(server.url(), "--redirect", "none")
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "moved")
        #expect(server.requestCount == 1)
    }

    @Test("T-09 fetch follows a Location on several lines")
    func folded() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "/" else { return try connection.respond(body: head.target) }
            try connection.send(
                "HTTP/1.1 302 Found\r\nLocation:\r\n /next\r\nContent-Length: 0\r\n\r\n"
            )
        }
        let result = try await Self.fetch(server.url())
        #expect(result.stdoutText == "/next", "\(result)")
    }

    @Test("--redirect same-origin refuses another origin with status 11, and sends it nothing")
    func sameOrigin() async throws {
        let other = try SocketServer { _ in }
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let target = head.target == "/in" ? "/here" : other.url("/there")
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let result = try await FetchProcess.run(
            "--redirect",
            "same-origin",
            "-O",
            "out",
            server.url("/in")
        )
        #expect(result.status == 11, "\(result)")
        #expect(result.blames(server.url("/in")).count == 1)
        #expect(result.folder.names() == [])
        #expect(server.heads.map(\.target) == ["/in", "/here"])
        #expect(!other.wasCalled)
    }

    @Test("T-09 credentials stay with their own origin")
    func credentials() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "there")
        }
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let target = head.target == "/in" ? "/here" : other.url("/there")
                try connection.respond("302 Found", ["Location: \(target)"])
            }
        }
        let result = try await FetchProcess.run(
            "-H",
            "Authorization: Bearer s3cret",
            "-H",
            "Cookie: s3cret=1",
            "-H",
            "X-Kept: yes",
            "-qO-",
            server.url("/in")
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.map { $0["Authorization"] } == ["Bearer s3cret", "Bearer s3cret"])
        #expect(server.heads.map { $0["Cookie"] } == ["s3cret=1", "s3cret=1"])
        let head = try #require(other.heads.first)
        #expect(!head.text.contains("s3cret"))
        #expect(head["X-Kept"] == "yes")
        #expect(head["Host"] == "127.0.0.1:\(other.port)")
    }

    @Test("T-09 credentials in the URL stay with their origin, and a server's are ignored")
    func userInfo() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let target = "http://evil:word@127.0.0.1:\(other.port)/"
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let result = try await FetchProcess.run(
            "-qO-",
            "--auth",
            "basic",
            "http://me:pw@127.0.0.1:\(server.port)/"
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?["Authorization"] == "Basic bWU6cHc=")
        #expect(other.heads.map { $0["Authorization"] } == [nil])
    }

    @Test("fetch refuses a redirect to another scheme than http and https, and reads nothing")
    func schemes() async throws {
        for target in ["file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:1", "data:,x"] {
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try connection.respond("302 Found", ["Location: \(target)"], body: "moved")
            }
            let result = try await FetchProcess.run("-O", "out", server.url())
            #expect(result.status == 11, "\(result)")
            #expect(result.blames(server.url()).count == 1)
            #expect(result.folder.names() == [])
        }
    }

    @Test("a 302 without a Location is an ordinary response")
    func noLocation() async throws {
        let result = try await Self.fetch(Nginx.shared.url("/redirect/no-location"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
    }

    @Test("a HEAD request stays HEAD after a redirect", arguments: ["301", "302", "303", "307"])
    func head(name: String) async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run("-I", nginx.url("/redirect/\(name)?redirect-head"))
        #expect(result.status == 0, "\(result)")
        let lines = result.stdoutText.split(separator: "\r\n")
        let heads = lines.filter { $0.hasPrefix("HTTP/1.1 ") }
        #expect(heads.count == 2)
        #expect(heads.first?.hasPrefix("HTTP/1.1 \(name) ") == true)
        #expect(heads.last == "HTTP/1.1 200 OK")
    }

    @Test("fetch follows a redirect from http to https, and verifies the server")
    func toTLS() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url("/redirect/to-https")
        let authority = nginx.certificates.authority
        let result = try await Self.fetch(url, "--ca-certificate", authority)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("tls: TLSv1.3\n"))
        #expect(try await Self.fetch(url).status == 5)
    }

    @Test("a head that begins with a folded line is refused, whatever came before it")
    func foldedBegin() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let isFirst = head.target == "/first"
                try connection.send(
                    isFirst
                        ? "HTTP/1.1 302 F\r\nA: 1\r\nLocation: /second\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 200 OK\r\n\tA: 1\r\nContent-Length: 3\r\n\r\nabc"
                )
            }
        }
        for jobs in ["1", "4"] {
            let urls = (0..<8).map { _ in server.url("/first") }
            let result = try await FetchProcess(["-q", "-t", "1", "-j", jobs, "-P", "d"] + urls)
                .run()
            #expect(result.status == 7, "\(result)")
            #expect(result.stderrLines.count { $0.contains("begins with a blank") } == 8)
            #expect(result.folder.names().filter { $0 != "d" } == [])
        }
    }
}
