import TestSupport
import Testing

/// Requests through a proxy.
@Suite("Proxies", .timeLimit(.minutes(1)))
struct ProxyTests {
    /// A proxy that responds to plain requests itself, and opens tunnels to loopback ports.
    static func proxy() throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            guard head.method == "CONNECT" else {
                return try connection.respond(body: "by proxy: \(head.target)")
            }
            let port = Int(head.target.split(separator: ":").last ?? "") ?? 0
            let relay = try Relay(port: port)
            try connection.send("HTTP/1.1 200 Connection established\r\n\r\n")
            try relay.run(connection)
        }
    }

    static func fetch(
        _ setting: ([String], [String: String]),
        through proxy: SocketServer,
        _ url: String
    ) async throws -> ProcessResult {
        let address = "127.0.0.1:\(proxy.port)"
        func filled(_ text: String) -> String {
            text.split(separator: "PROXY", omittingEmptySubsequences: false)
                .joined(separator: address)
        }
        return try await FetchProcess(
            setting.0.map(filled) + ["-q", "-O", "-", url],
            environment: setting.1.mapValues(filled)
        ).run()
    }

    /// Settings that send a plain request through a proxy: arguments and variables, with `PROXY`.
    static let plain: [([String], [String: String])] = [
        (["--proxy", "PROXY"], [:]), (["-x", "http://PROXY/"], [:]),
        ([], ["http_proxy": "http://PROXY"]), ([], ["http_proxy": "PROXY"]),
        ([], ["all_proxy": "http://PROXY"]), ([], ["ALL_PROXY": "http://PROXY"]),
        (["-x", "PROXY"], ["no_proxy": "a.example", "http_proxy": "http://127.0.0.1:1"]),
        (["--noproxy", "elsewhere.example"], ["http_proxy": "http://PROXY"]),
    ]

    /// Settings that send it directly.
    static let direct: [([String], [String: String])] = [
        ([], [:]), (["--no-proxy"], ["http_proxy": "http://PROXY"]),
        (["-x", ""], ["http_proxy": "http://PROXY"]), (["-x", "PROXY", "--noproxy", "*"], [:]),
        (["-x", "PROXY", "--noproxy", "127.0.0.1"], [:]),
        ([], ["http_proxy": "http://PROXY", "no_proxy": "127.0.0.1"]),
        ([], ["http_proxy": "http://PROXY", "NO_PROXY": "127.0.0.1"]),
        // A CGI program gets a client's Proxy header in this variable: httpoxy.
        ([], ["HTTP_PROXY": "http://PROXY"]), ([], ["https_proxy": "http://PROXY"]),
    ]

    @Test("S-05 a plain request goes to the proxy that a flag or variable names", arguments: plain)
    func throughProxy(arguments: [String], environment: [String: String]) async throws {
        let proxy = try Self.proxy()
        let url = "http://origin.example/path?q"
        let result = try await Self.fetch((arguments, environment), through: proxy, url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "by proxy: http://origin.example/path?q")
        #expect(proxy.heads.first?["Host"] == "origin.example")
    }

    @Test(
        "S-05 a request goes directly where a flag or variable excludes the proxy",
        arguments: direct
    )
    func directly(arguments: [String], environment: [String: String]) async throws {
        let proxy = try Self.proxy()
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await Self.fetch((arguments, environment), through: proxy, url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        #expect(!proxy.wasCalled)
    }

    @Test(
        "A-07 the proxy receives its credential after a challenge, and the credential is never printed",
        arguments: [Squid.Listener.basic, .digest, .tlsBasic]
    )
    func credential(listener: Squid.Listener) async throws {
        let nginx = try Nginx.shared
        let squid = try Squid.shared
        let proxy = squid.url(listener)
        let result = try await FetchProcess.run(
            "-vv",
            "-S",
            "-x",
            proxy.replacing("://", with: "://name:secret@"),
            "--ca-certificate",
            nginx.certificates.authority,
            "-O",
            "-",
            nginx.tlsURL("/echo/credential-\(listener)"),
            nginx.url("/echo/credential-\(listener)")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.ranges(of: "authorization: \n").count == 2)
        #expect(
            result.stderr.contains("/echo/credential-\(listener) goes through the proxy \(proxy)\n")
        )
        #expect(!result.stderr.contains("secret"))
        #expect(!result.stderr.contains("bmFtZTpzZWNyZXQ"))
        let requests = await squid.log.entries(waitingFor: 1) {
            $0.target == nginx.url("/echo/credential-\(listener)") && $0.status == 200
        }
        #expect(requests.map(\.user) == ["name"])
        #expect(requests.map(\.authorization) == [nil])
    }

    @Test("A-07 --proxy-user is used with a variable's proxy, and may come from a file or variable")
    func proxyUser() async throws {
        let squid = try Squid.shared
        let nginx = try Nginx.shared
        let user = TestUser.unusual
        let folder = try TemporaryFolder()
        try folder.write(user.pair + "\nmore\n", to: "pair")
        for (number, source) in ["@\(folder.path("pair"))", "env:PAIR", user.pair].enumerated() {
            let address = nginx.url("/echo/proxy-user-\(number)")
            let result = try await FetchProcess(
                ["-vv", "--proxy-user", source, "-O", "-", address],
                environment: ["http_proxy": squid.url(.digest), "PAIR": user.pair]
            ).run()
            #expect(result.status == 0, "\(result)")
            #expect(!result.stderr.contains(user.password))
        }
        for source in [":s3cret", "@/nowhere/pair", "env:"] {
            let result = try await FetchProcess.run("--proxy-user", source, nginx.url("/echo/"))
            #expect(result.status == (source.hasPrefix("@") ? 3 : 2), "\(result)")
            #expect(!result.stderr.contains("s3cret"))
        }
    }

    @Test("a redirect to a host in no_proxy goes directly, without the proxy's credential")
    func redirectedAway() async throws {
        let nginx = try Nginx.shared
        let target = nginx.url("/echo/redirected-away").replacing("127.0.0.1", with: "localhost")
        let origin = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let squid = try Squid.shared
        let result = try await FetchProcess.run(
            "-vv",
            "-4",
            "-x",
            squid.url(.basic).replacing("://", with: "://name:secret@"),
            "--noproxy",
            "localhost:\(nginx.httpPort)",
            "-O",
            "-",
            origin.url("/first")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("uri: /echo/redirected-away\n"))
        #expect(result.stderr.ranges(of: "goes through the proxy").count == 1)
        #expect(!squid.log.entries().contains { $0.target == target })
    }

    @Test(
        "fetch refuses a variable that is not a proxy URL, and does not print its value",
        arguments: ["gopher://me:s3cret@p", "http://me:s3cret@p\r\nX: y", "http://me:s3cret@p/q"]
    )
    func hostileVariable(value: String) async throws {
        for name in ["http_proxy", "all_proxy"] {
            let result = try await FetchProcess(
                ["http://origin.example/"],
                environment: [name: value]
            ).run()
            #expect(result.status == 2, "\(result)")
            #expect(result.stderr.contains("the variable \(name) is not a proxy URL"))
            #expect(!result.stderr.contains("s3cret"))
        }
    }

    @Test("--dry-run names the proxy, without its credential")
    func dryRun() async throws {
        let result = try await FetchProcess(
            ["--dry-run", "http://a.example/", "http://b.example/"],
            environment: ["http_proxy": "http://me:s3cret@p.example:3128", "no_proxy": "b.example"]
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.ranges(of: "proxy: http://p.example:3128\n").count == 1)
        #expect(!result.stdoutText.contains("s3cret"))
    }

    @Test("an unreachable proxy is status 4, and an invalid one is status 2")
    func missing() async throws {
        let refusing = try RefusingPort()
        let url = "http://origin.example/"
        let refused = try await FetchProcess.run("-x", "127.0.0.1:\(refusing.port)", url)
        #expect(refused.status == 4, "\(refused)")
        #expect(refused.blames(url).count == 1)
        for proxy in ["gopher://127.0.0.1:1", "http://:80", "http://h:99999", "http://h/path"] {
            let result = try await FetchProcess.run("-x", proxy, url)
            #expect(result.status == 2, "\(result)")
        }
    }

    @Test("T-09 a redirect cannot disguise a name that no_proxy is compared with")
    func escapedName() async throws {
        let target = try SocketServer { _ in }
        let proxy = try SocketServer { connection in
            _ = try connection.readHead()
            let place = "http://localhost%2eevil.test:\(target.port)/"
            try connection.respond("302 Found", ["Location: \(place)"])
        }
        let result = try await FetchProcess(
            ["-qO-", "-x", proxy.url(), "http://start.test/"],
            environment: ["no_proxy": "localhost"]
        ).run()
        #expect(result.status != 0, "\(result)")
        #expect(!target.wasCalled)
    }

    @Test("--noproxy with an empty list replaces the variable")
    func emptyList() async throws {
        let proxy = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "proxied")
        }
        for list in ["", ","] {
            let result = try await FetchProcess(
                ["-qO-", "-x", proxy.url(), "--noproxy", list, "http://start.test/"],
                environment: ["no_proxy": "*"]
            ).run()
            #expect(result.stdoutText == "proxied", "\(result)")
        }
    }
}
