import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Squid as the proxy", .timeLimit(.minutes(2)))
struct SquidProxyTests {
    let squid: Squid
    let nginx: Nginx

    init() throws {
        squid = try Squid.shared
        nginx = try Nginx.shared
    }

    /// A session through a listener.
    private func session(
        _ listener: Squid.Listener,
        _ user: TestUser? = nil,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        try URLSession.testing { configuration in
            configuration.transport.proxy = .url(squid.url(listener))
            configuration.transport.proxyCredential = user.map {
                URLCredential(user: $0.name, password: $0.password, persistence: .forSession)
            }
            change(configuration)
        }
    }

    private func load(_ request: URLRequest, in session: URLSession) async throws -> (Int, String) {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return (status, String(decoding: data, as: UTF8.self))
    }

    /// The three kinds of origin.
    enum Origin: CaseIterable, Sendable {
        case plain
        case tls
        case http2

        func url(_ path: String) throws -> String {
            let nginx = try Nginx.shared
            return switch self {
            case .plain: nginx.url(path)
            case .tls: nginx.tlsURL(path)
            case .http2: nginx.http2URL(path)
            }
        }
    }

    @Test(
        "the client sends requests through an HTTP and an HTTPS proxy, and TLS in a tunnel",
        arguments: [Squid.Listener.open, .tls],
        Origin.allCases
    )
    func tunnels(listener: Squid.Listener, origin: Origin) async throws {
        let session = try session(listener)
        let path = "/echo/tunnels-\(listener)-\(origin)"
        let address = try origin.url(path)
        let (status, text) = try await load(try request(address), in: session)
        #expect(status == 200)
        #expect(text.contains("uri: \(path)\n"))
        #expect(text.contains("protocol: \(origin == .http2 ? "HTTP/2.0" : "HTTP/1.1")\n"))
        var post = try request(address)
        post.httpMethod = "POST"
        post.httpBody = Data(repeating: 0x61, count: 10_000)
        let (posted, echo) = try await load(post, in: session)
        #expect(posted == 200)
        #expect(echo.contains("content-length: 10000\n"))

        // squid logs a tunnel at its end.
        session.invalidateAndCancel()
        let target = origin == .plain ? address : String(address.split(separator: "/")[1])
        let entries = await squid.log.entries(waitingFor: 1) {
            $0.port == squid.port(listener) && $0.target == target
        }
        #expect(entries.first?.method == (origin == .plain ? "GET" : "CONNECT"))
    }

    @Test("T-04 an upload from a file arrives whole through a proxy", arguments: Origin.allCases)
    func upload(origin: Origin) async throws {
        let folder = try TestSupport.TemporaryFolder()
        let bytes = PseudoRandom.bytes(3_000_000)
        try folder.write(bytes, to: "body")
        let session = try session(.open)
        defer { session.finishTasksAndInvalidate() }
        let name = "proxied-\(origin)"
        var request = try request(origin.url("/dav/\(name)"))
        request.httpMethod = "PUT"
        let file = URL(filePath: folder.path("body"))
        let (_, response) = try await session.upload(for: request, fromFile: file)
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(isSameBytes(nginx.uploaded(name), bytes))
    }

    @Test("T-08 a download continues through a proxy", arguments: Origin.allCases)
    func resume(origin: Origin) async throws {
        let folder = try TestSupport.TemporaryFolder()
        let bytes = PseudoRandom.bytes(400_000)
        let name = "resumed-\(origin)"
        _ = try nginx.addFile(name, bytes: bytes)
        let recorder = RecordingDelegate(
            .init(destination: .temporary, finished: { rename($0.path, folder.path("whole")) })
        )
        let session = try URLSession.testing(recorder) {
            $0.transport.proxy = .url(squid.url(.open))
            $0.transport.temporaryFolder = folder.path
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try origin.url("/slow/\(name)?rate=65536")
        let first = session.downloadTask(with: try url(address))
        first.resume()
        #expect(await eventually { first.countOfBytesReceived > 0 })
        let data = try #require(
            await withCheckedContinuation { continuation in
                first.cancel { continuation.resume(returning: $0) }
            }
        )
        let second = session.downloadTask(withResumeData: data)
        second.resume()
        #expect(await recorder.completion(of: second) == nil)
        #expect(isSameBytes(folder.read("whole"), bytes))
        #expect((second.response as? HTTPURLResponse)?.statusCode == 206)
    }

    @Test(
        "A-07 the client sends credentials when a proxy asks, by Basic and Digest",
        arguments: [Squid.Listener.basic, .digest, .basicAndDigest, .tlsBasic],
        Origin.allCases
    )
    func authenticates(listener: Squid.Listener, origin: Origin) async throws {
        for user in [TestUser.usual, .unusual] {
            let session = try session(listener, user)
            defer { session.finishTasksAndInvalidate() }
            let path = "/echo/a07-\(listener)-\(origin)-\(user.password.count)"
            let address = try origin.url(path)
            for _ in 0..<2 {
                let (status, text) = try await load(try request(address), in: session)
                #expect(status == 200)
                #expect(text.contains("uri: \(path)\n"))
            }
            // The proxy's credential stays in the configuration.
            let storage = try #require(session.configuration.urlCredentialStorage)
            #expect(storage.allCredentials.isEmpty)
        }
    }

    @Test(
        "A-07 the task asks its delegate for a proxy, named with its realm",
        arguments: [true, false]
    )
    func asksDelegate(isTunnel: Bool) async throws {
        let delegate = ChallengeDelegate(.usual)
        let session = try session(.digest)
        defer { session.finishTasksAndInvalidate() }
        let address = isTunnel ? nginx.tlsURL("/echo/asked") : nginx.url("/echo/asked")
        let (_, response) = try await session.data(from: try url(address), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        // The task also asks about the server's certificate behind the tunnel.
        let spaces = delegate.challenges.map(\.protectionSpace).filter { $0.isProxy() }
        let space = try #require(spaces.first)
        #expect(spaces.count == 1)
        #expect(space.isProxy())
        #expect(space.host == "127.0.0.1" && space.port == squid.port(.digest))
        #expect(space.realm == Squid.realm)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest)
    }

    @Test("A-07 a tunnel without a credential fails, and a plain request gets the proxy's response")
    func stranger() async throws {
        for listener in [Squid.Listener.basic, .digest] {
            // Squid keeps what it knows of a user, and other tests log in as `name` meanwhile.
            let session = try session(listener, TestUser(name: "stranger", password: "wrong"))
            defer { session.finishTasksAndInvalidate() }
            let code = await errorCode {
                _ = try await session.data(from: try url(nginx.tlsURL("/echo/stranger")))
            }
            #expect(code == .userAuthenticationRequired)
            let plain = try await load(try request(nginx.url("/echo/stranger")), in: session)
            #expect(plain.0 == 407)
        }
        #expect(nginx.accessLog("/echo/stranger").isEmpty)
    }

    @Test(
        "A-07 the client sends a proxy its Kerberos ticket without a caller's credential",
        arguments: Origin.allCases
    )
    func ticket(origin: Origin) async throws {
        let result = try await FetchProcess(
            [
                "-x", squid.url(.negotiate).replacing("127.0.0.1", with: "localhost"), "-q", "-O",
                "-", "--ca-certificate", nginx.certificates.authority,
                try origin.url("/echo/ticket-\(origin)"),
            ],
            environment: squid.kerberos.environment
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("uri: /echo/ticket-\(origin)\n"))
    }

    @Test("a proxy that refuses every client fails the connection, and the error names it")
    func refuses() async throws {
        let session = try session(.refusing)
        defer { session.finishTasksAndInvalidate() }
        do {
            _ = try await session.data(from: try url(nginx.tlsURL("/echo/refused")))
            Issue.record("the request succeeded")
        } catch let error as URLError {
            #expect(error.code == .cannotConnectToHost)
            let proxy = squid.url(.refusing)
            #expect(error.detail == "the proxy \(proxy) responded 403 Forbidden to CONNECT")
        }
    }

    @Test("the proxy resolves the host's name, for plain requests and for tunnels")
    func names() async throws {
        let session = try session(.open) { $0.transport.trust.verifiesServer = false }
        defer { session.finishTasksAndInvalidate() }
        let name = Squid.onlyKnownHere
        for address in [
            nginx.url("/echo/name").replacing("127.0.0.1", with: name),
            nginx.tlsURL("/echo/name").replacing("localhost", with: name),
        ] {
            let (status, text) = try await load(try request(address), in: session)
            #expect(status == 200)
            #expect(text.contains("host: \(name):"))
        }
    }

    @Test("the client verifies an HTTPS proxy's certificate, even where it skips the server's")
    func strict() async throws {
        for verifies in [true, false] {
            let session = try session(.tls) {
                $0.transport.trust.certificateAuthorityFile =
                    (try? Certificates.shared.otherAuthority) ?? ""
                $0.transport.trust.verifiesServer = verifies
            }
            defer { session.finishTasksAndInvalidate() }
            do {
                _ = try await session.data(from: try url(nginx.url("/echo/strict")))
                Issue.record("the request succeeded")
            } catch let error as URLError {
                #expect(error.code == .serverCertificateHasUnknownRoot)
                #expect(error.detail.contains("the proxy's, \(squid.url(.tls))"))
            }
        }
        #expect(nginx.accessLog("/echo/strict").isEmpty)
    }

    @Test("S-05 connectionProxyDictionary sends each scheme to its own proxy")
    func dictionary() async throws {
        let session = try URLSession.testing {
            $0.transport.proxy = .automatic
            $0.connectionProxyDictionary = [
                kCFNetworkProxiesHTTPEnable: true, kCFNetworkProxiesHTTPProxy: "127.0.0.1",
                kCFNetworkProxiesHTTPPort: squid.port(.basic), kCFNetworkProxiesHTTPSEnable: 1,
                kCFNetworkProxiesHTTPSProxy: "127.0.0.1",
                kCFNetworkProxiesHTTPSPort: squid.port(.digest),
                kCFProxyUsernameKey: TestUser.usual.name,
                kCFProxyPasswordKey: TestUser.usual.password,
            ]
        }
        defer { session.finishTasksAndInvalidate() }
        for address in [nginx.url("/echo/s05-dictionary"), nginx.tlsURL("/echo/s05-dictionary")] {
            let (status, _) = try await load(try request(address), in: session)
            #expect(status == 200)
        }
        let plain = await squid.log.entries(waitingFor: 2) {
            $0.target == nginx.url("/echo/s05-dictionary")
        }
        #expect(plain.map(\.port) == [squid.port(.basic), squid.port(.basic)])
        #expect(plain.map(\.status) == [407, 200])
        let direct = try URLSession.testing {
            $0.transport.proxy = .automatic
            $0.connectionProxyDictionary = [:]
        }
        defer { direct.finishTasksAndInvalidate() }
        _ = try await load(try request(nginx.url("/echo/s05-direct")), in: direct)
        #expect(!squid.log.entries().contains { $0.target == nginx.url("/echo/s05-direct") })
    }
}
