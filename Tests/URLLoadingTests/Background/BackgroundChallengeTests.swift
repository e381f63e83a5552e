import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Late dispositions: another task's disposition has released the task, and another server has challenged
/// it since.
@Suite("Background sessions and late dispositions", .timeLimit(.minutes(1)))
struct BackgroundChallengeTests {
    /// A challenge of a server that is not trusted, with a chain of this one byte.
    private func challenge(chain byte: UInt8) -> ChallengeRecord {
        ChallengeRecord(
            host: "h.test",
            port: 443,
            scheme: "https",
            method: NSURLAuthenticationMethodServerTrust,
            isProxy: false,
            failures: 0,
            trust: .init(host: "h.test", chain: [Data([byte])], reasons: [])
        )
    }

    private func password(at host: String, failures: Int = 0) -> ChallengeRecord {
        ChallengeRecord(
            host: host,
            port: 80,
            scheme: "http",
            realm: "r",
            method: NSURLAuthenticationMethodHTTPBasic,
            isProxy: false,
            failures: failures
        )
    }

    /// Makes a second server challenge a task, after the program was asked about the first.
    private func challengeTwice(
        _ first: ChallengeRecord,
        then second: ChallengeRecord,
        _ testServer: ScriptedServer,
        _ client: SocketClient
    ) async {
        testServer.report(.challenged(task: 1, first))
        #expect(await eventually { client.has(.challenge(task: 1, challenge: first)) })
        // Releases the task, as another task's disposition does.
        testServer.report(.challengeDecided(task: 1))
        #expect(await eventually { testServer.transfers.started == [1, 1] })
        testServer.report(.challenged(task: 1, second))
        #expect(await eventually { client.has(.challenge(task: 1, challenge: second)) })
    }

    private func decision(_ password: String, at place: ChallengeRecord?) -> BackgroundRequest {
        .answer(task: 1, disposition: 0, user: "me", password: password, place: place)
    }

    @Test(
        "the transfer process ignores a disposition that comes too late",
        arguments: [true, false]
    )
    func late(_ isTrust: Bool) async throws {
        let session = try BackgroundSession()
        let testServer = try session.start(tasks: [taskRecord(1)])
        let client = try session.connectClient()
        #expect(await eventually { client.isReady && testServer.transfers.started == [1] })
        let first = isTrust ? challenge(chain: 1) : password(at: "one.test")
        let second = isTrust ? challenge(chain: 2) : password(at: "two.test")
        await challengeTwice(first, then: second, testServer, client)
        client.send(decision("late", at: first))
        client.send(decision("of an earlier version", at: nil))
        client.send(decision("good", at: second))
        #expect(await eventually { testServer.transfers.started == [1, 1, 1] })
        let log = testServer.transfers.log.withLock { $0 }
        #expect(log.passwords == [isTrust ? "" : "good"])
        #expect(log.decided == [second])
        client.leave()
        testServer.kill()
    }

    @Test("a disposition applies although another credential was refused meanwhile")
    func refusedMeanwhile() async throws {
        let session = try BackgroundSession()
        let testServer = try session.start(tasks: [taskRecord(1)])
        let client = try session.connectClient()
        #expect(await eventually { client.isReady && testServer.transfers.started == [1] })
        let first = password(at: "one.test")
        let second = password(at: "one.test", failures: 1)
        await challengeTwice(first, then: second, testServer, client)
        client.send(decision("good", at: first))
        #expect(await eventually { testServer.transfers.started == [1, 1, 1] })
        #expect(testServer.transfers.log.withLock { $0.passwords } == ["good"])
        client.leave()
        testServer.kill()
    }

    @Test("the delegate decides about each certificate chain separately")
    func asked() async throws {
        let fixture = try BackgroundFixture()
        let pending = PendingDecisions()
        let delegate = TrustingDelegate { challenge, complete in
            let trust = challenge.protectionSpace.serverTrust
            pending.add { complete(.useCredential, trust.map { URLCredential(trust: $0) }) }
        }
        let session = fixture.open(delegate)
        let url = try #require(URL(string: "https://h.test/"))
        session.downloadTask(with: url).resume()
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [1] })
        let (first, second) = (challenge(chain: 1), challenge(chain: 2))
        testServer.report(.challenged(task: 1, first))
        #expect(await eventually { pending.count == 1 })
        testServer.report(.challengeDecided(task: 1))
        #expect(await eventually { testServer.transfers.started == [1, 1] })
        testServer.report(.challenged(task: 1, second))
        #expect(await eventually { pending.count == 2 })
        pending.decideAll()
        #expect(await eventually { testServer.transfers.started == [1, 1, 1] })
        #expect(testServer.transfers.log.withLock { $0.decided } == [second])
        let shown = delegate.challenges.map { $0.protectionSpace.serverTrust?.chain }
        #expect(shown == [[Data([1])], [Data([2])]])
        session.invalidateAndCancel()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
    }
}

/// Decisions that a delegate makes later.
private final class PendingDecisions: Sendable {
    private let pending = Mutex<[@Sendable () -> Void]>([])

    var count: Int { pending.withLock { $0.count } }

    func add(_ decision: @escaping @Sendable () -> Void) {
        pending.withLock { $0.append(decision) }
    }

    /// Makes the decisions, in the order of the challenges.
    func decideAll() {
        for decide in pending.withLock({ $0 }) { decide() }
        // They keep the session whose delegate keeps them.
        pending.withLock { $0 = [] }
    }
}
