import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// Challenges of connections, for the program of a transfer process.
@Suite("Background sessions and server trust", .timeLimit(.minutes(2)))
struct BackgroundTrustTests {
    private let fixture: BackgroundSession
    private let nginx: Nginx

    init() throws {
        fixture = try BackgroundSession()
        nginx = try Nginx.shared
        _ = try nginx.addFile("background-trust", text: "for you")
    }

    private func address(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Makes the platform distrust the tests' certificate authority.
    private func distrust(_ configuration: URLSessionConfiguration) {
        configuration.transport.trust.certificateAuthorityFile = nil
    }

    private func end(_ session: URLSession, _ task: URLSessionTask) async -> (Int?, URLError?) {
        #expect(await eventually { task.state == .completed && session.task(1) == nil })
        session.finishTasksAndInvalidate()
        #expect(await eventually { session.delegate == nil })
        return ((task.response as? HTTPURLResponse)?.statusCode, task.error as? URLError)
    }

    @Test("A-01 an attached delegate is called about an untrusted server once for all tasks")
    func asked() async throws {
        let delegate = TrustingDelegate(trust: { (.useCredential, URLCredential(trust: $0)) })
        let session = try fixture.openReal(delegate, distrust)
        let url = try address(nginx.tlsURL("/files/background-trust"))
        let first = session.downloadTask(with: url)
        let second = session.downloadTask(with: url)
        first.resume()
        #expect(await eventually { first.state == .completed })
        second.resume()
        #expect(await eventually { second.state == .completed })
        let (status, error) = await end(session, first)
        #expect(status == 200 && error == nil)
        #expect((second.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(delegate.methods == [NSURLAuthenticationMethodServerTrust])
        let trust = try #require(delegate.challenges.first?.protectionSpace.serverTrust)
        #expect(trust.host == "localhost")
        #expect(!trust.isTrusted && !trust.certificates.isEmpty)
    }

    @Test("A-01 a server that the delegate does not trust is an error", arguments: [true, false])
    func refused(_ isKnown: Bool) async throws {
        let delegate = TrustingDelegate(trust: { _ in (.rejectProtectionSpace, nil) })
        let session = try fixture.openReal(delegate) { configuration in
            if !isKnown { distrust(configuration) }
        }
        let url = try address(nginx.tlsURL("/files/background-trust"))
        let task = session.downloadTask(with: url)
        task.resume()
        let (status, error) = await end(session, task)
        #expect(status == nil && error != nil)
        #expect(delegate.challenges.first?.protectionSpace.serverTrust?.isTrusted == isKnown)
    }

    @Test("A-01 without an attached program the task waits for one, and the command is started")
    func away() async throws {
        let started = fixture.home.path("started")
        let mayGo = Gate()
        let target = nginx.tlsURL("/files/background-trust")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            if connection.number == 0 { try mayGo.wait() }
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let session = try fixture.openReal(TrustingDelegate(identity: nil)) { configuration in
            distrust(configuration)
            configuration.background.completionCommand =
                "printf %s \"$FETCH_BACKGROUND_OUTCOME\" > '\(started)'"
        }
        session.downloadTask(with: try address(server.url())).resume()
        #expect(await eventually { server.requestCount == 1 })
        session.detach()
        #expect(await eventually { session.delegate == nil })
        mayGo.open()
        #expect(await eventually { fixture.home.readText("started") == "credential" })
        let delegate = TrustingDelegate(trust: { (.useCredential, URLCredential(trust: $0)) })
        let next = try fixture.openReal(delegate, distrust)
        let task = try #require(await next.allTasks.first)
        let (status, error) = await end(next, task)
        #expect(status == 200 && error == nil)
        #expect(delegate.methods == [NSURLAuthenticationMethodServerTrust])
    }

    @Test("A-01 an attached delegate is called for a client certificate")
    func identity() async throws {
        let files = nginx.certificates
        let delegate = TrustingDelegate(
            identity: URLCredential(
                identity: .init(file: files.client.certificate, keyFile: files.clientEncryptedKey),
                keyPassword: files.clientPassphrase,
                persistence: .forSession
            )
        )
        let session = try fixture.openReal(delegate)
        let task = session.downloadTask(with: try address(nginx.clientCertificateURL("/echo/")))
        task.resume()
        let (status, error) = await end(session, task)
        #expect(status == 200 && error == nil)
        let trust = NSURLAuthenticationMethodServerTrust
        #expect(delegate.methods == [trust, NSURLAuthenticationMethodClientCertificate])
        #expect(delegate.challenges.last?.protectionSpace.distinguishedNames?.isEmpty == false)
    }

    @Test("A-01 a delegate is called about a trusted server once for all tasks")
    func trusted() async throws {
        let delegate = TrustingDelegate(trust: { _ in (.performDefaultHandling, nil) })
        let session = try fixture.openReal(delegate)
        let url = try address(nginx.tlsURL("/files/background-trust"))
        for _ in 0..<2 {
            let task = session.downloadTask(with: url)
            task.resume()
            #expect(await eventually { task.state == .completed })
            #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(delegate.methods == [NSURLAuthenticationMethodServerTrust])
        #expect(delegate.challenges.first?.protectionSpace.serverTrust?.isTrusted == true)
        session.finishTasksAndInvalidate()
        #expect(await eventually { session.delegate == nil })
    }

    @Test("A-01 a session that does not ask about trusted servers needs no program for them")
    func unasked() async throws {
        let delegate = TrustingDelegate(trust: { _ in (.rejectProtectionSpace, nil) })
        let session = try fixture.openReal(delegate) { configuration in
            configuration.background.asksAboutTrustedServers = false
        }
        let task = session.downloadTask(with: try address(nginx.tlsURL("/files/background-trust")))
        task.resume()
        let (status, error) = await end(session, task)
        #expect(status == 200 && error == nil)
        #expect(delegate.methods == [])
    }
}
