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

    private func parked(_ stage: TransferStage, _ number: Int) -> ChallengeRecord? {
        if case .parked(let challenge)? = stage.task(number)?.phase { challenge } else { nil }
    }

    private func answer(
        _ stage: TransferStage,
        _ task: Int,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ password: String? = nil
    ) -> BackgroundRequest {
        .answer(
            task: task,
            disposition: disposition.rawValue,
            user: password.map { _ in "name" },
            password: password,
            place: parked(stage, task)
        )
    }

    @Test(
        "a task parks until it is told who one is, a wrong word is asked about again, others profit"
    )
    func parks() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-private", text: "for you")
        let stage = try TransferStage(session)
        let program = try await stage.enter()
        let address = nginx.url("/private/background-private")
        program.run(try .make(1, address), try .make(2, address))
        #expect(await eventually { parked(stage, 1) != nil && parked(stage, 2) != nil })
        let challenge = try #require(parked(stage, 1))
        #expect(challenge.realm == "private")
        #expect(challenge.method == NSURLAuthenticationMethodHTTPBasic)
        #expect(challenge.failures == 0)
        #expect(await eventually { program.has(.challenge(task: 1, challenge: challenge)) })
        program.send(answer(stage, 1, .useCredential, "wrong"))
        #expect(await eventually { parked(stage, 1)?.failures == 1 })
        #expect(await eventually { parked(stage, 2)?.failures == 1 })
        program.send(answer(stage, 2, .useCredential, "secret"))
        let one = try #require(await program.file(of: 1))
        let two = try #require(await program.file(of: 2))
        #expect(session.home.readText(one.relative(to: session.home)) == "for you")
        #expect(session.home.readText(two.relative(to: session.home)) == "for you")
        // Another that comes later is not asked any more.
        program.run(try .make(3, address))
        #expect(await program.file(of: 3) != nil)
        let journal = try #require(session.home.readText(session.name + "/journal"))
        #expect(!journal.contains("secret") && !journal.contains("wrong"))
        program.leave()
    }

    @Test("who is not to be told has the refusal for an answer, or the task is given up")
    func without() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-without", text: "for you")
        let stage = try TransferStage(session)
        let program = try await stage.enter()
        let address = nginx.url("/private/background-without")
        program.run(try .make(1, address), try .make(2, address), try .make(3, address))
        #expect(await eventually { (1...3).allSatisfy { parked(stage, $0) != nil } })
        program.send(answer(stage, 1, .performDefaultHandling))
        program.send(answer(stage, 2, .rejectProtectionSpace))
        program.send(answer(stage, 3, .cancelAuthenticationChallenge))
        #expect(try await program.waitForEnd(of: 1).response?.status == 401)
        #expect(try await program.waitForEnd(of: 2).response?.status == 401)
        let end = try await program.waitForEnd(of: 3)
        #expect(end.error?.urlError.code == .userCancelledAuthentication)
        program.leave()
    }

    @Test("the session's netrc file answers, at home and nowhere else")
    func netrc() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("background-netrc", text: "for you")
        let path = try session.home.write("default login name password secret\n", to: "netrc")
        let stage = try TransferStage(session) { $0.background.netrcFile = path }
        let program = try await stage.enter()
        let elsewhere = try SocketServer { connection in
            _ = try connection.readHead()
            let target = nginx.url("/private/background-netrc")
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        program.run(try .make(1, elsewhere.url()))
        #expect(await eventually { parked(stage, 1) != nil })
        program.run(try .make(2, nginx.url("/private/background-netrc")))
        let file = try #require(await program.file(of: 2))
        #expect(session.home.readText(file.relative(to: session.home)) == "for you")
        program.leave()
    }
}
