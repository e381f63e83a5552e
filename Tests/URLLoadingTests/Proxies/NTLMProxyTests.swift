import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("NTLM proxies", .timeLimit(.minutes(1)))
struct NTLMProxyTests {
    let ntlm: NTLM
    let nginx: Nginx

    init() throws {
        ntlm = try NTLM.shared
        nginx = try Nginx.shared
    }

    private func session(_ user: TestUser) throws -> URLSession {
        try URLSession.testing {
            $0.transport.proxy = .url("http://127.0.0.1:\(ntlm.proxyPort)")
            $0.transport.proxyCredential = URLCredential(
                user: user.name,
                password: user.password,
                persistence: .forSession
            )
        }
    }

    @Test("A-07 the client authenticates plain requests, bodies, and HTTP/2 in a tunnel")
    func tunnels() async throws {
        let session = try session(.usual)
        defer { session.finishTasksAndInvalidate() }
        let path = "/echo/session-through-ntlm"
        for address in [nginx.url(path), nginx.http2URL(path)] {
            let (data, response) = try await session.data(from: try url(address))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self).contains("uri: \(path)\n"))
        }
        for (number, address) in [nginx.url("/dav/"), nginx.http2URL("/dav/")].enumerated() {
            let name = "through-ntlm-\(number)"
            var request = try request(address + name)
            request.httpMethod = "PUT"
            let body = PseudoRandom.bytes(300_000, seed: UInt64(number))
            let (_, response) = try await session.upload(for: request, from: Data(body))
            #expect((response as? HTTPURLResponse)?.statusCode == 201)
            #expect(isSameBytes(nginx.uploaded(name), body))
        }
    }

    @Test("A-07 the proxy refuses another user, and a plain request gets its response")
    func stranger() async throws {
        let session = try session(TestUser(name: "name", password: "wrong"))
        defer { session.finishTasksAndInvalidate() }
        let path = "/echo/stranger-through-ntlm"
        let code = await errorCode {
            _ = try await session.data(from: try url(nginx.http2URL(path)))
        }
        #expect(code == .userAuthenticationRequired)
        let (_, response) = try await session.data(from: try url(nginx.url(path)))
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(nginx.accessLog(path).isEmpty)
    }
}
