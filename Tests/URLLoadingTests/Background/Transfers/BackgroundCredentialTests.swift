import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Credentials of background tasks", .timeLimit(.minutes(2)))
struct BackgroundCredentialTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    private func parked(_ testServer: TransferServer, _ number: Int) -> ChallengeRecord? {
        if case .parked(let challenge)? = testServer.task(number)?.phase { challenge } else { nil }
    }

    private func decision(
        _ testServer: TransferServer,
        _ task: Int,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ password: String? = nil
    ) -> BackgroundRequest {
        .answer(
            task: task,
            disposition: disposition.rawValue,
            user: password.map { _ in "name" },
            password: password,
            place: parked(testServer, task)
        )
    }

    @Test("a task waits for a credential; a wrong one is requested again, a good one is shared")
    func parks() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-private", text: "for you")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let address = nginx.url("/private/background-private")
        client.run(try .make(1, address), try .make(2, address))
        #expect(await eventually { parked(testServer, 1) != nil && parked(testServer, 2) != nil })
        let challenge = try #require(parked(testServer, 1))
        #expect(challenge.realm == "private")
        #expect(challenge.method == NSURLAuthenticationMethodHTTPBasic)
        #expect(challenge.failures == 0)
        #expect(await eventually { client.has(.challenge(task: 1, challenge: challenge)) })
        client.send(decision(testServer, 1, .useCredential, "wrong"))
        #expect(await eventually { parked(testServer, 1)?.failures == 1 })
        #expect(await eventually { parked(testServer, 2)?.failures == 1 })
        client.send(decision(testServer, 2, .useCredential, "secret"))
        let one = try #require(await client.file(of: 1))
        let two = try #require(await client.file(of: 2))
        #expect(session.home.readText(one.relative(to: session.home)) == "for you")
        #expect(session.home.readText(two.relative(to: session.home)) == "for you")
        // A later task does not park.
        client.run(try .make(3, address))
        #expect(await client.file(of: 3) != nil)
        let journal = try #require(session.home.readText(session.name + "/journal"))
        #expect(!journal.contains("secret") && !journal.contains("wrong"))
        client.leave()
    }

    @Test("without a credential the 401 is the response, or the task is cancelled")
    func without() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-without", text: "for you")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let address = nginx.url("/private/background-without")
        client.run(try .make(1, address), try .make(2, address), try .make(3, address))
        #expect(await eventually { (1...3).allSatisfy { parked(testServer, $0) != nil } })
        client.send(decision(testServer, 1, .performDefaultHandling))
        client.send(decision(testServer, 2, .rejectProtectionSpace))
        client.send(decision(testServer, 3, .cancelAuthenticationChallenge))
        #expect(try await client.waitForEnd(of: 1).response?.status == 401)
        #expect(try await client.waitForEnd(of: 2).response?.status == 401)
        let end = try await client.waitForEnd(of: 3)
        #expect(end.error?.urlError.code == .userCancelledAuthentication)
        client.leave()
    }

    @Test("the session's netrc file is used for the first host only")
    func netrc() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-netrc", text: "for you")
        let path = try session.home.write("default login name password secret\n", to: "netrc")
        let testServer = try TransferServer(session) { $0.background.netrcFile = path }
        let client = try await testServer.connectClient()
        let elsewhere = try SocketServer { connection in
            _ = try connection.readHead()
            let target = nginx.url("/private/background-netrc")
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        client.run(try .make(1, elsewhere.url()))
        #expect(await eventually { parked(testServer, 1) != nil })
        client.run(try .make(2, nginx.url("/private/background-netrc")))
        let file = try #require(await client.file(of: 2))
        #expect(session.home.readText(file.relative(to: session.home)) == "for you")
        client.leave()
    }
}
