import TestSupport
import Testing

/// Tunnels that fetch requests from a proxy.
@Suite("Tunnels through proxies", .timeLimit(.minutes(1)))
struct ProxyTunnelTests {
    @Test(
        "TLS goes through a tunnel, and the proxy receives no part of the request",
        arguments: [
            (["-x", "PROXY"], [:]), ([], ["https_proxy": "http://PROXY"]),
            ([], ["HTTPS_PROXY": "http://PROXY"]),
        ] as [([String], [String: String])]
    )
    func tunnel(arguments: [String], environment: [String: String]) async throws {
        let nginx = try Nginx.shared
        let proxy = try ProxyTests.proxy()
        let more = [
            "--ca-certificate", nginx.certificates.authority, "-H", "Authorization: s3cret",
        ]
        let url = nginx.http2URL("/echo/")
        let result = try await ProxyTests.fetch(
            (arguments + more, environment),
            through: proxy,
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("authorization: s3cret\n"))
        #expect(result.stdoutText.contains("protocol: HTTP/2.0\n"))
        let head = try #require(proxy.heads.first)
        #expect(head.method == "CONNECT")
        #expect(head.target == "localhost:\(nginx.http2Port)")
        #expect(!head.text.contains("s3cret"))
    }

    @Test(
        "--proxytunnel opens a tunnel for plain HTTP too, and only the server receives the request"
    )
    func plainTunnel() async throws {
        let nginx = try Nginx.shared
        let proxy = try ProxyTests.proxy()
        let flags = ["--proxytunnel", "-H", "Authorization: s3cret"]
        let url = nginx.url("/echo/tunnel?q")
        let result = try await ProxyTests.fetch(
            (["-x", "PROXY"] + flags, [:]),
            through: proxy,
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("authorization: s3cret\n"))
        #expect(proxy.heads.map(\.method) == ["CONNECT"])
        #expect(proxy.heads.first?["Authorization"] == nil)
        // Without a proxy no tunnel is opened.
        let direct = try await FetchProcess(flags + ["-qO-", url]).run()
        #expect(direct.stdoutText.contains("authorization: s3cret\n"))
    }

    @Test(
        "A-07 through --proxytunnel the proxy's credential goes to the proxy only",
        arguments: [Squid.Listener.basic, .digest]
    )
    func plainTunnelCredential(listener: Squid.Listener) async throws {
        let origin = try SocketServer { connection in
            let head = try connection.readHead()
            // The origin, and not the proxy, sends this challenge.
            guard head.target == "/407" else { return try connection.respond(body: "in") }
            let challenge = "Proxy-Authenticate: Basic realm=\"r\""
            try connection.respond("407 Proxy Authentication Required", [challenge])
        }
        let proxy = try Squid.shared.url(listener).replacing("://", with: "://name:secret@")
        let flags = ["--proxytunnel", "-qO-", "-x", proxy]
        let result = try await FetchProcess(flags + [origin.url("/x")]).run()
        #expect(result.stdoutText == "in", "\(result)")
        let asking = try await FetchProcess(flags + [origin.url("/407")]).run()
        #expect(asking.status != 0, "\(asking)")
        #expect(origin.heads.allSatisfy { $0["Proxy-Authorization"] == nil })
        #expect(origin.heads.map(\.target) == ["/x", "/407"])
    }

    @Test("a tunnel that the proxy refuses has its own error, and fetch sends nothing")
    func refusedPlainTunnel() async throws {
        let origin = try SocketServer { _ in }
        let proxy = try Squid.shared.url(.refusing)
        let result = try await FetchProcess(
            ["--proxytunnel", "--tries", "1", "-qO-", "-x", proxy, origin.url("/x")]
        ).run()
        #expect(result.status != 0, "\(result)")
        #expect(result.stdoutText == "")
        #expect(!origin.wasCalled)
    }

    @Test(
        "a refused tunnel is a network failure, or after a 407 a credential failure",
        arguments: [("403 Forbidden", 4), ("503 Busy", 4), ("407 Auth", 6)] as [(String, Int32)]
    )
    func refusedTunnel(response: String, status: Int32) async throws {
        let proxy = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(response, ["Proxy-Authenticate: Basic realm=\"p\""], body: "no")
        }
        let url = "https://origin.example/"
        let result = try await FetchProcess.run(
            "-x",
            "127.0.0.1:\(proxy.port)",
            "-t",
            "1",
            "-O",
            "out",
            url
        )
        #expect(result.status == status, "\(result)")
        #expect(result.blames(url).count == 1)
        #expect(result.folder.names() == [])
        try proxy.verify()
    }
}
