import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("NTLM, which authenticates a connection", .timeLimit(.minutes(2)))
struct ConnectionAuthenticationTests {
    /// A session's delegate that handles connection challenges only.
    private final class SessionDelegate: URLSessionDelegate {
        private let inner: ChallengeDelegate

        init(_ inner: ChallengeDelegate) {
            self.inner = inner
        }

        func urlSession(
            _ session: URLSession,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) { inner.decide(challenge, completionHandler) }
    }

    @Test("A-01 the session's delegate handles NTLM, and the handshake is on one connection")
    func session() async throws {
        let ntlm = try NTLM.shared
        let delegate = ChallengeDelegate(.usual)
        let others = ChallengeDelegate()
        let session = try URLSession.testing(SessionDelegate(delegate))
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(ntlm.url("/a01-session")),
            delegate: others
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("user: ") && text.contains("name"), "\(text)")
        #expect(
            delegate.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodNTLM
            ]
        )
        #expect(others.challenges.isEmpty)
    }

    @Test("A-01 the task's delegate handles NTLM where the session's delegate lacks the method")
    func task() async throws {
        let ntlm = try NTLM.shared
        let delegate = ChallengeDelegate(.usual)
        let session = try URLSession.testing(RecordingDelegate())
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(
            from: try url(ntlm.url("/a01-task")),
            delegate: delegate
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(delegate.challenges.count == 1)
    }

    @Test(
        "A-01 a server that repeats its NTLM challenge gets ten answers at most",
        arguments: [false, true]
    )
    func repeated(sendsBody: Bool) async throws {
        let challenge =
            "TlRMTVNTUAACAAAAAAAAADgAAAAzggIAMTIzNDU2NzgAAAAAAAAAAAAAAAA4AAAAAAAAAAAAAAA="
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                _ = try connection.readBody(head)
                let answer = head["Authorization"] == nil ? "NTLM" : "NTLM \(challenge)"
                try connection.respond("401 Unauthorized", ["WWW-Authenticate: \(answer)"])
            }
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: try url(server.url()))
        if sendsBody {
            request.httpMethod = "PUT"
            request.httpBody = Data("body".utf8)
        }
        let error = await #expect(throws: URLError.self) {
            try await session.data(for: request, delegate: ChallengeDelegate(.usual))
        }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(server.requestCount <= 13)
    }

    @Test("A-01 a wrong NTLM password counts as a failure, and the last 401 is the response")
    func refused() async throws {
        let ntlm = try NTLM.shared
        let wrong = URLCredential(user: "name", password: "wrong", persistence: .none)
        let delegate = ChallengeDelegate([(.useCredential, wrong), (.rejectProtectionSpace, nil)])
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(ntlm.url("/a01-refused")),
            delegate: delegate
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        _ = data
    }

    @Test("A-01 bodies of data and of streams arrive whole after NTLM")
    func bodies() async throws {
        let ntlm = try NTLM.shared
        let bytes = Data(PseudoRandom.bytes(2_000_003))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(ntlm.url("/a01-body"))
        request.httpMethod = "PUT"
        let (data, _) = try await session.upload(
            for: request,
            from: bytes,
            delegate: ChallengeDelegate(.usual)
        )
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(try sha256(Array(bytes))), "\(text)")

        let spool = BodySpool(NonReplayableStream(3_000_000))
        let delegate = SpoolingDelegate(spool)
        let recorder = RecordingDelegate()
        let other = try URLSession.testing(recorder)
        defer { other.finishTasksAndInvalidate() }
        let task = other.uploadTask(withStreamedRequest: request)
        task.delegate = delegate
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let echo = String(decoding: recorder.data(task), as: UTF8.self)
        #expect(echo.contains(try sha256(NonReplayableStream.bytes(3_000_000))), "\(echo)")
    }

    @Test("A-04 the task calls its delegate for Negotiate without a Kerberos ticket")
    func ticket() async throws {
        // A ticket is found through the environment, so EndToEndTests use it in a process of its own.
        // Without a ticket no request is delayed, and the delegate is called.
        let apache = try Apache.shared
        let delegate = ChallengeDelegate([(.rejectProtectionSpace, nil)])
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(
            from: try url(apache.nameURL("/negotiate/hello.txt")),
            delegate: delegate
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(
            delegate.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodNegotiate
            ]
        )
    }
}
