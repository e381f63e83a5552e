import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Background retries", .timeLimit(.minutes(2)))
struct BackgroundRetryTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    /// Counts calls.
    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test("B-05 a lost connection is continued, and new bytes reset the count")
    func broken() async throws {
        let bytes = PseudoRandom.bytes(300_000)
        let counter = Counter()
        let testServer = try TransferServer(session)
        let retries = Mutex<[BackgroundRetry?]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            retries.withLock { $0.append(testServer.retry(1)) }
            switch counter.next() {
            case 1: try BackgroundDownloadTests.serve(bytes, head, connection, upTo: 100_000)
            // No new bytes.
            case 2: try BackgroundDownloadTests.serve(bytes, head, connection, upTo: 100_000)
            case 3: try BackgroundDownloadTests.serve(bytes, head, connection, upTo: 200_000)
            default: try BackgroundDownloadTests.serve(bytes, head, connection)
            }
        }
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        let file = try #require(await client.file(of: 1))
        #expect(isSameBytes(session.home.read(file.relative(to: session.home)), bytes))
        // The failed attempts at the begin of each attempt.
        #expect(retries.withLock { $0 }.map { $0?.attempts } == [nil, 1, 2, 1])
        #expect(retries.withLock { $0 }[1]?.error.urlError.code == .networkConnectionLost)
        let ranges = server.heads.map { $0["Range"] ?? "-" }
        #expect(ranges == ["-", "bytes=100000-", "bytes=100000-", "bytes=200000-"])
        client.leave()
    }

    @Test("B-05 a refused connection is tried again, until a server listens")
    func refused() async throws {
        let listener = try SocketServer { _ in }
        let port = listener.port
        listener.stop()
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, "http://127.0.0.1:\(port)/"))
        // The next attempt comes after a second at most.
        #expect(await eventually { testServer.retry(1)?.attempts ?? 0 >= 1 })
        #expect(testServer.retry(1)?.error.urlError.code == .cannotConnectToHost)
        client.leave()
    }

    @Test("B-05 the task fails after the allowed attempts")
    func limit() async throws {
        let server = try SocketServer { connection in _ = try connection.readHead() }
        let testServer = try TransferServer(session) { $0.background.maximumTries = 2 }
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error?.urlError.code == .networkConnectionLost)
        #expect(server.requestCount == 2)
        client.leave()
    }

    @Test("B-05 a task that requires a success waits as long as the server requests")
    func busy() async throws {
        let counter = Counter()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            if counter.next() == 1 {
                try connection.respond("503 Busy", ["Retry-After: 1"], body: "come again")
            } else {
                try connection.respond(body: "here it is")
            }
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let started = ContinuousClock.now
        client.run(try .make(1, server.url()) { $0.takesSuccessOnly = true })
        let file = try #require(await client.file(of: 1))
        #expect(ContinuousClock.now - started >= .seconds(1))
        #expect(session.home.readText(file.relative(to: session.home)) == "here it is")
        client.leave()
    }

    @Test("an error status is a response, or an error without a file if a success is required")
    func errorStatus() async throws {
        let nginx = try Nginx.shared
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let target = try session.home.write("mine", to: "target")
        client.run(
            try .make(1, nginx.url("/status/404")),
            try .make(2, nginx.url("/status/404"), to: target) { draft in
                draft.takesSuccessOnly = true
                draft.replaces = true
            }
        )
        let file = try #require(await client.file(of: 1))
        #expect(session.home.readText(file.relative(to: session.home)) == "status 404\n")
        let end = try await client.waitForEnd(of: 2)
        #expect(end.error == nil)
        #expect(end.response?.status == 404)
        #expect(await client.file(of: 2) == nil)
        #expect(session.home.readText("target") == "mine")
        client.leave()
    }

    @Test("an error status for a continued download is a response of its own")
    func errorAfterPart() async throws {
        let bytes = PseudoRandom.bytes(300_000)
        let counter = Counter()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if counter.next() == 1 {
                try BackgroundDownloadTests.serve(bytes, head, connection, upTo: 100_000)
            } else {
                try connection.respond("410 Gone", body: "no more")
            }
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        let file = try #require(await client.file(of: 1))
        #expect(session.home.readText(file.relative(to: session.home)) == "no more")
        #expect(try await client.waitForEnd(of: 1).response?.status == 410)
        client.leave()
    }
}
