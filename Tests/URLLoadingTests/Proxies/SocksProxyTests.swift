import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("SOCKS proxies", .timeLimit(.minutes(1)))
struct SocksProxyTests {
    let socks: Socks

    init() throws {
        socks = try Socks.shared
    }

    /// A server whose port is unique to the test, since the log shows ports.
    private func target() throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.respond(body: "reached \(head.target)")
            }
        }
    }

    private func session(
        _ proxy: String,
        _ user: TestUser? = nil
    ) throws -> URLSession {
        try URLSession.testing { configuration in
            configuration.transport.proxy = .url(proxy)
            configuration.transport.addressFamily = .ipv4
            configuration.transport.proxyCredential = user.map {
                URLCredential(user: $0.name, password: $0.password, persistence: .none)
            }
        }
    }

    @Test(
        "the client sends the name to a socks5h proxy, and the address to a socks5 proxy",
        arguments: [("socks5", "127.0.0.1"), ("socks5h", "localhost")]
    )
    func lookUp(scheme: String, asked: String) async throws {
        let server = try target()
        let session = try session("\(scheme)://127.0.0.1:\(socks.port)")
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: try url("http://localhost:\(server.port)/a"))
        #expect(String(decoding: data, as: UTF8.self) == "reached /a")
        let connections = await socks.log.entries(waitingFor: 1) { $0.port == server.port }
        #expect(connections.map(\.host) == [asked])
        #expect(server.heads.allSatisfy { $0["Proxy-Connection"] == nil })
    }

    @Test("S-05 the dictionary's SOCKS proxy resolves names, and serves both schemes")
    func dictionary() async throws {
        let server = try target()
        let nginx = try Nginx.shared
        let session = try URLSession.testing {
            $0.transport.proxy = .automatic
            $0.connectionProxyDictionary = [
                kCFNetworkProxiesSOCKSEnable: 1, kCFNetworkProxiesSOCKSProxy: "127.0.0.1",
                kCFNetworkProxiesSOCKSPort: socks.port,
            ]
        }
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try url("http://localhost:\(server.port)/"))
        let connections = await socks.log.entries(waitingFor: 1) { $0.port == server.port }
        #expect(connections.map(\.host) == ["localhost"])
        let (data, _) = try await session.data(from: try url(nginx.http2URL("/echo/socks")))
        #expect(String(decoding: data, as: UTF8.self).contains("protocol: HTTP/2.0\n"))
    }

    @Test("a SOCKS proxy receives user and password, and refuses others")
    func user() async throws {
        let server = try target()
        let address = try url("http://127.0.0.1:\(server.port)/")
        let proxy = "127.0.0.1:\(socks.userPort)"
        let inURL = try session("socks5h://name:%73ecret@\(proxy)")
        defer { inURL.finishTasksAndInvalidate() }
        let beside = try session("socks5h://\(proxy)", .usual)
        defer { beside.finishTasksAndInvalidate() }
        for session in [inURL, beside] {
            let (data, _) = try await session.data(from: address)
            #expect(String(decoding: data, as: UTF8.self) == "reached /")
        }
        let wrong = TestUser(name: "name", password: "%73ecret")
        for session in [
            try session("socks5h://\(proxy)"), try session("socks5h://\(proxy)", wrong),
        ] {
            defer { session.finishTasksAndInvalidate() }
            let code = await errorCode { _ = try await session.data(from: address) }
            #expect(code == .userAuthenticationRequired)
        }
        #expect(server.connectionCount == 2)
    }

    @Test("the client takes a 407 from a server behind SOCKS for that server's own")
    func noProxyOfHTTP() async throws {
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil {
                try connection.respond(
                    "407 Auth",
                    ["Proxy-Authenticate: Basic realm=\"trap\""],
                    body: "no"
                )
            }
        }
        let session = try session("socks5h://127.0.0.1:\(socks.port)", .usual)
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(
            from: try url("http://127.0.0.1:\(server.port)/")
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(server.heads.map { $0["Proxy-Authorization"] } == [nil])
    }
}
