import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Basic and Digest against Apache httpd", .timeLimit(.minutes(2)))
struct HTTPAuthenticationTests {
    let apache: Apache

    init() throws {
        apache = try Apache.shared
    }

    /// Loads a path with a delegate.
    private func load(
        _ path: String,
        _ delegate: ChallengeDelegate,
        in session: URLSession? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        let own = try session ?? URLSession.testing()
        defer { if session == nil { own.finishTasksAndInvalidate() } }
        let (data, response) = try await own.data(
            from: try url(path.hasPrefix("http") ? path : apache.url(path)),
            delegate: delegate
        )
        return (data, try #require(response as? HTTPURLResponse))
    }

    /// The server's log entries of a path.
    private func log(_ path: String, waitingFor count: Int) async -> [ApacheLogEntry] {
        await apache.log.entries(waitingFor: count) { $0.target == path }
    }

    @Test(
        "A-02 the task's delegate is called, and its credential is sent",
        arguments: [
            ("basic", NSURLAuthenticationMethodHTTPBasic),
            ("digest", NSURLAuthenticationMethodHTTPDigest),
            ("digest-stale", NSURLAuthenticationMethodHTTPDigest),
            ("digest-once", NSURLAuthenticationMethodHTTPDigest),
            ("basic-and-digest", NSURLAuthenticationMethodHTTPDigest),
        ],
        [TestUser.usual, .unusual]
    )
    func letsIn(place: (name: String, method: String), user: TestUser) async throws {
        let delegate = ChallengeDelegate(user)
        let (data, response) = try await load("/\(place.name)/hello.txt?\(#function)", delegate)
        #expect(response.statusCode == 200)
        #expect(!data.isEmpty)
        let challenge = try #require(delegate.challenges.first)
        #expect(delegate.challenges.count == 1)
        let space = challenge.protectionSpace
        #expect(space.authenticationMethod == place.method)
        #expect(space.host == "127.0.0.1")
        #expect(space.port == apache.port)
        #expect(space.protocol == "http")
        #expect(space.realm == Apache.realm)
        #expect(!space.isProxy())
        #expect(challenge.previousFailureCount == 0)
        #expect(challenge.proposedCredential == nil)
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 401)
    }

    @Test("A-02 the session's delegate is not called for Basic and Digest")
    func notTheSession() async throws {
        final class SessionOnly: URLSessionDelegate {
            let asked = Flag()

            func urlSession(
                _ session: URLSession,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (
                        URLSession.AuthChallengeDisposition, URLCredential?
                    ) -> Void
            ) {
                asked.raise()
                completionHandler(.performDefaultHandling, nil)
            }
        }
        let delegate = SessionOnly()
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(from: try url(apache.url("/basic/hello.txt")))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(!delegate.asked.isUp)
    }

    @Test("A-03 a refused credential counts and is proposed next; then another one succeeds")
    func failures() async throws {
        let wrong = URLCredential(user: "name", password: "wrong", persistence: .none)
        let right = URLCredential(user: "name", password: "secret", persistence: .none)
        let delegate = ChallengeDelegate([
            (.useCredential, wrong), (.useCredential, wrong), (.useCredential, right),
        ])
        let (_, response) = try await load("/digest/hello.txt", delegate)
        #expect(response.statusCode == 200)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1, 2])
        #expect(delegate.challenges.map(\.proposedCredential) == [nil, wrong, wrong])
    }

    @Test("A-03 the client attempts the next method after a rejected space, then gets the 401")
    func rejects() async throws {
        let right = URLCredential(user: "name", password: "secret", persistence: .none)
        let second = ChallengeDelegate([(.rejectProtectionSpace, nil), (.useCredential, right)])
        let (_, response) = try await load("/basic-and-digest/hello.txt", second)
        #expect(response.statusCode == 200)
        #expect(
            second.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPBasic,
            ]
        )
        let none = ChallengeDelegate([(.rejectProtectionSpace, nil), (.rejectProtectionSpace, nil)])
        let (data, refusal) = try await load("/basic-and-digest/hello.txt", none)
        #expect(refusal.statusCode == 401)
        #expect(!data.isEmpty)
        #expect(none.challenges.count == 2)
    }

    @Test("A-03 the 401 is the response without a credential, and cancelling ends the task")
    func endsWithTheDisposition() async throws {
        let nothing = ChallengeDelegate([(.useCredential, nil)])
        #expect(try await load("/basic/hello.txt", nothing).1.statusCode == 401)
        let cancelling = ChallengeDelegate([(.cancelAuthenticationChallenge, nil)])
        let code = await errorCode { _ = try await load("/basic/hello.txt", cancelling) }
        #expect(code == .userCancelledAuthentication)
    }

    @Test("A-03 a delegate that repeats one wrong password ends after 20 challenges")
    func roundInCircles() async throws {
        let wrong = URLCredential(user: "name", password: "wrong", persistence: .none)
        let delegate = ChallengeDelegate(Array(repeating: (.useCredential, wrong), count: 100))
        #expect(try await load("/basic/hello.txt", delegate).1.statusCode == 401)
        #expect(delegate.challenges.count == 20)
    }

    @Test("A-03 the client sends the URL's user after a challenge only, by default")
    func userInURL() async throws {
        let delegate = ChallengeDelegate()
        let path = "/digest/hello.txt?userInURL"
        let address = apache.url(path).replacing("://", with: "://name:secret@")
        #expect(try await load(address, delegate).1.statusCode == 200)
        let proposed = try #require(delegate.challenges.first?.proposedCredential)
        #expect(proposed.user == "name")
        let entries = await log(path, waitingFor: 2)
        #expect(entries.map(\.status) == [401, 200])
        #expect(entries.first?.authorization == nil)
        // The client sends a wrong password once.
        let wrong = ChallengeDelegate()
        let other = apache.url("/basic/hello.txt").replacing("://", with: "://name:no@")
        #expect(try await load(other, wrong).1.statusCode == 401)
        #expect(wrong.challenges.map(\.previousFailureCount) == [0, 1])
    }

    @Test(
        "A-04 a task's credential is sent by the next task below the same folder, unasked",
        arguments: ["basic", "digest", "digest-once"]
    )
    func remembered(place: String) async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let first = ChallengeDelegate(.usual, persistence: .forSession)
        let path = "/\(place)/hello.txt?remembered"
        #expect(try await load(path, first, in: session).1.statusCode == 200)
        let next = ChallengeDelegate()
        for _ in 0..<3 {
            #expect(try await load(path, next, in: session).1.statusCode == 200)
        }
        #expect(next.challenges.isEmpty)
        let entries = await log(path, waitingFor: 5)
        #expect(entries.count { $0.status == 401 && $0.authorization == nil } == 1)
        // A password is not sent elsewhere without a challenge; a digest is valid for the whole server.
        guard place == "basic" else { return }
        _ = try await load("/open/hello.txt?remembered", ChallengeDelegate(), in: session)
        let others = await log("/open/hello.txt?remembered", waitingFor: 1)
        #expect(others.map(\.authorization) == [nil])
    }

    @Test("A-04 the credential with the nearest path is sent")
    func nearest() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        for place in ["digest", "basic", "digest-once"] {
            let path = "/\(place)/hello.txt?nearest"
            let delegate = ChallengeDelegate(.usual, persistence: .forSession)
            #expect(try await load(path, delegate, in: session).1.statusCode == 200)
        }
        let silent = ChallengeDelegate()
        #expect(try await load("/basic/hello.txt", silent, in: session).1.statusCode == 200)
        #expect(try await load("/digest/hello.txt", silent, in: session).1.statusCode == 200)
        #expect(silent.challenges.isEmpty)
    }

    @Test("A-04 the client uses a credential for one request, and not for another")
    func forgotten() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let first = ChallengeDelegate(.usual, persistence: .none)
        #expect(try await load("/basic/hello.txt", first, in: session).1.statusCode == 200)
        let next = ChallengeDelegate()
        #expect(try await load("/basic/hello.txt", next, in: session).1.statusCode == 401)
        #expect(next.challenges.count == 1)
    }

    @Test("C-04 the session uses its credential storage, and stores proven credentials")
    func storage() async throws {
        let storage = URLCredentialStorage()
        let one = try URLSession.testing { $0.urlCredentialStorage = storage }
        defer { one.finishTasksAndInvalidate() }
        let wrong = URLCredential(user: "name", password: "wrong", persistence: .forSession)
        let right = URLCredential(user: "name", password: "secret", persistence: .forSession)
        let delegate = ChallengeDelegate([(.useCredential, wrong), (.useCredential, right)])
        #expect(try await load("/basic/hello.txt", delegate, in: one).1.statusCode == 200)
        let space = try #require(delegate.challenges.first?.protectionSpace)
        let isKept = await eventually { storage.defaultCredential(for: space) == right }
        #expect(isKept)
        let other = try URLSession.testing { $0.urlCredentialStorage = storage }
        defer { other.finishTasksAndInvalidate() }
        let silent = ChallengeDelegate()
        #expect(try await load("/basic/hello.txt", silent, in: other).1.statusCode == 200)
        #expect(silent.challenges.map(\.proposedCredential) == [right])
    }

    @Test(
        "T-09 the task calls its delegate again after a redirect, and the other origin gets nothing"
    )
    func redirected() async throws {
        let delegate = ChallengeDelegate(.usual, persistence: .forSession)
        let there = "/basic/hello.txt?redirected"
        let path = "/redirect/302\(there)"
        let (_, response) = try await load(path, delegate)
        #expect(response.statusCode == 200)
        #expect(delegate.challenges.count == 1)
        let entries = await log(path, waitingFor: 1)
        #expect(!entries.isEmpty && entries.allSatisfy { $0.authorization == nil })
    }
}
