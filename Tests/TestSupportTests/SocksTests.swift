import TestSupport
import Testing

@Suite
struct SocksTests {
    let socks: Socks
    let nginx: Nginx

    init() throws {
        socks = try Socks.shared
        nginx = try Nginx.shared
    }

    /// A server whose port is unique to the test, since the proxy's log shows ports only.
    private func target(_ text: String) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: text)
        }
    }

    @Test(arguments: [("socks5", "127.0.0.1"), ("socks5h", "localhost")])
    func showsWhichPartyLookedTheNameUp(scheme: String, host: String) async throws {
        let server = try target("through \(scheme)")
        let response = try await CurlResponse.get(
            "--ipv4",
            "--proxy",
            "\(scheme)://127.0.0.1:\(socks.port)",
            "http://localhost:\(server.port)/"
        )
        #expect(response.body == "through \(scheme)", "\(response)")
        let connections = await socks.log.entries(waitingFor: 1) { $0.port == server.port }
        #expect(connections.map(\.host) == [host])
        try server.verify()
    }

    @Test
    func acceptsItsUser() async throws {
        let server = try target("hello")
        let proxy = "socks5h://127.0.0.1:\(socks.userPort)"
        let url = "http://127.0.0.1:\(server.port)/"
        let user = try await CurlResponse.get(
            "--proxy",
            proxy,
            "--proxy-user",
            TestUser.usual.pair,
            url
        )
        #expect(user.body == "hello", "\(user)")
        for wrong in [[], ["--proxy-user", "name:wrong"]] {
            let stranger = try await CurlResponse.get(["--proxy", proxy, url] + wrong)
            #expect(stranger.exit == 97, "\(stranger)")
        }
        let connections = await socks.userLog.entries(waitingFor: 1) { $0.port == server.port }
        #expect(connections.count == 1)
        #expect(server.connectionCount == 1)
    }

    @Test
    func carriesTLS() async throws {
        let response = try await CurlResponse.get(
            "--proxy",
            "socks5h://127.0.0.1:\(socks.port)",
            "--cacert",
            try Certificates.shared.authority,
            nginx.tlsURL("/echo/socks")
        )
        #expect(response.statuses == [200], "\(response)")
        #expect(response.body.contains("tls: TLSv1.3\n"))
    }
}
