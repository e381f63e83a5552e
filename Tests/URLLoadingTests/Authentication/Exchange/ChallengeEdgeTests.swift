import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Challenges in unusual situations", .timeLimit(.minutes(1)))
struct ChallengeEdgeTests {
    private typealias Completion =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Keeps the completion handler, for the test to call.
    private final class SlowDelegate: URLSessionTaskDelegate {
        let questions = Mutex<[Completion]>([])

        var count: Int { questions.withLock { $0.count } }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            questions.withLock { $0.append(completionHandler) }
        }
    }

    private static let credential = URLCredential(user: "me", password: "pw", persistence: .none)

    /// Requires Basic authentication.
    private static func asking(body: String = "no credentials") throws -> SocketServer {
        try SocketServer { connection in
            for _ in 0..<3 {
                let head = try connection.readHead()
                if head["authorization"] != nil { return try connection.respond(body: "in") }
                try connection.respond(
                    "401 Unauthorized",
                    [#"WWW-Authenticate: Basic realm="x""#],
                    body: body
                )
            }
        }
    }

    private func start(
        _ server: SocketServer,
        _ delegate: any URLSessionTaskDelegate
    ) throws -> (URLSession, URLSessionDataTask, RecordingDelegate) {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        let task = session.dataTask(with: try request(server.url()))
        task.delegate = delegate
        task.resume()
        return (session, task, recorder)
    }

    @Test("T-13 a task cancelled during the delegate's decision ends at once, and only once")
    func cancelled() async throws {
        let server = try Self.asking()
        let delegate = SlowDelegate()
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await eventually { delegate.count == 1 })
        task.cancel()
        #expect(await recorder.completion(of: task) == .cancelled)
        delegate.questions.withLock { $0[0](.useCredential, Self.credential) }
        #expect(recorder.calls(task) == [.completed(.cancelled)])
        #expect(server.requestCount == 1)
    }

    @Test("T-01 the delegate's disposition for a suspended task waits until the task is resumed")
    func suspended() async throws {
        let server = try Self.asking()
        let delegate = SlowDelegate()
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await eventually { delegate.count == 1 })
        task.suspend()
        delegate.questions.withLock { $0[0](.useCredential, Self.credential) }
        #expect(task.state == .suspended)
        #expect(server.requestCount == 1)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(String(decoding: recorder.data(task), as: UTF8.self) == "in")
    }

    @Test("A-03 only the first of two calls of the completion handler counts")
    func twice() async throws {
        let server = try Self.asking()
        let delegate = SlowDelegate()
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await eventually { delegate.count == 1 })
        delegate.questions.withLock { questions in
            questions[0](.useCredential, Self.credential)
            questions[0](.cancelAuthenticationChallenge, nil)
        }
        #expect(await recorder.completion(of: task) == nil)
    }

    @Test("A-03 a refusal longer than the buffer arrives whole, once no credential is left")
    func longRefusal() async throws {
        let body = String(repeating: "0123456789abcdef", count: 60_000)
        let server = try Self.asking(body: body)
        let delegate = ChallengeDelegate([(.rejectProtectionSpace, nil)])
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .response(401))
        #expect(isSameBytes(recorder.data(task), body.utf8))
    }

    @Test(
        "A-03 an unsupported challenge is the response, and the delegate is not called",
        arguments: [
            ("401 Unauthorized", []), ("401 Unauthorized", ["WWW-Authenticate: "]),
            ("401 Unauthorized", ["WWW-Authenticate: Hoba result=1"]),
            ("401 Unauthorized", [#"WWW-Authenticate: Digest realm="x""#]),
            ("401 Unauthorized", [#"WWW-Authenticate: Bearer realm="x""#]),
            ("401 Unauthorized", [#"Proxy-Authenticate: Basic realm="x""#]),
            // Without a proxy this challenge comes from the server, which must not get a proxy's
            // password.
            ("407 Proxy Authentication Required", [#"Proxy-Authenticate: Basic realm="x""#]),
            ("407 Proxy Authentication Required", [#"WWW-Authenticate: Basic realm="x""#]),
        ]
    )
    func unsupported(status: String, fields: [String]) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(status, fields, body: "no")
        }
        let delegate = ChallengeDelegate(.usual)
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .response(Int(status.prefix(3)) ?? 0))
        #expect(delegate.challenges.isEmpty)
        #expect(server.requestCount == 1)
    }

    @Test("T-07 a download's 401 leaves no file, and the body after authentication is the file")
    func download() async throws {
        let server = try Self.asking()
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let (location, response) = try await session.download(
            for: try request(server.url()),
            delegate: ChallengeDelegate([(.useCredential, Self.credential)])
        )
        defer { try? FileManager.default.removeItem(at: location) }
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try String(contentsOf: location, encoding: .utf8) == "in")
    }

    @Test("A-03 a server that changes its realm each time receives the URL's credential once")
    func newRealms() async throws {
        let count = Mutex(0)
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                try connection.respond(
                    "401 Unauthorized",
                    [#"WWW-Authenticate: Basic realm="\#(number)""#]
                )
            }
        }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let address = server.url().replacing("://", with: "://me:pw@")
        let (_, response) = try await session.data(from: try url(address))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(server.requestCount == 2)
        let stubborn = ChallengeDelegate(
            Array(repeating: (.useCredential, Self.credential), count: 99)
        )
        _ = try await session.data(from: try url(server.url()), delegate: stubborn)
        #expect(stubborn.challenges.count <= 20)
    }

    @Test("A-03 a password that Digest has refused is not sent with Basic")
    func noFallback() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.respond(
                    "401 Unauthorized",
                    [
                        #"WWW-Authenticate: Digest realm="x", nonce="n", qop="auth""#,
                        #"WWW-Authenticate: Basic realm="x""#,
                    ]
                )
            }
        }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let address = server.url().replacing("://", with: "://me:pw@")
        _ = try await session.data(from: try url(address))
        #expect(
            server.heads.compactMap { $0["Authorization"] }.allSatisfy { $0.hasPrefix("Digest") }
        )
        #expect(server.requestCount == 2)
    }

    @Test("A-03 a delegate that drops the completion handler gets the default handling")
    func forgetful() async throws {
        final class Forgetful: URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (
                        URLSession.AuthChallengeDisposition, URLCredential?
                    ) -> Void
            ) {}
        }
        let server = try Self.asking()
        let (session, task, recorder) = try start(server, Forgetful())
        defer { session.invalidateAndCancel() }
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .response(401))
    }

    @Test("A-04 a 503, 400 or 429 does not prove a password")
    func noProof() async throws {
        for status in ["503 Busy", "400 No", "429 Slowly"] {
            let server = try SocketServer { connection in
                while let head = try connection.nextHead() {
                    guard head["Authorization"] == nil else {
                        try connection.respond(status)
                        continue
                    }
                    let field = #"WWW-Authenticate: Basic realm="x""#
                    try connection.respond("401 Unauthorized", [field])
                }
            }
            let storage = URLCredentialStorage()
            let session = try URLSession.testing { $0.urlCredentialStorage = storage }
            defer { session.invalidateAndCancel() }
            let delegate = ChallengeDelegate(.usual, persistence: .forSession)
            _ = try await session.data(from: try url(server.url()), delegate: delegate)
            let other = ChallengeDelegate()
            _ = try await session.data(from: try url(server.url()), delegate: other)
            #expect(other.challenges.count == 1)
            #expect(storage.allCredentials.isEmpty)
        }
    }

    @Test("A-03 the task stops renewing nonces when the server calls every one stale")
    func alwaysStale() async throws {
        let server = try SocketServer { connection in
            for number in 0..<100 {
                _ = try connection.readHead()
                try connection.respond(
                    "401 Unauthorized",
                    [#"WWW-Authenticate: Digest realm="x", nonce="\#(number)", stale=true"#]
                )
            }
        }
        let delegate = ChallengeDelegate([(.useCredential, Self.credential)])
        let (session, task, recorder) = try start(server, delegate)
        defer { session.invalidateAndCancel() }
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .response(401))
        #expect(server.requestCount < 10)
    }
}
