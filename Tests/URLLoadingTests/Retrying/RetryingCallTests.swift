import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Calls that retry", .timeLimit(.minutes(1)))
struct RetryingCallTests {
    private var policy: RetryPolicy {
        var policy = RetryPolicy(tries: 3)
        policy.fixedWait = .milliseconds(5)
        return policy
    }

    /// A server that fails a number of times before it responds.
    private func server(
        failing times: Int,
        _ fail: @escaping @Sendable (SocketConnection) throws -> Void
    ) throws -> SocketServer {
        let left = Mutex(times)
        return try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            let fails = left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            if fails { return try fail(connection) }
            try connection.respond(body: "done")
        }
    }

    @Test("T-15 a call attempts again after a temporary status and a lost connection")
    func transient() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        for fail in [
            { @Sendable in try $0.respond("503 Service Unavailable") },
            { @Sendable in try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx") },
        ] as [@Sendable (SocketConnection) throws -> Void] {
            let server = try server(failing: 2, fail)
            let (data, _) = try await session.data(for: request(server.url()), retrying: policy)
            #expect(String(decoding: data, as: UTF8.self) == "done")
            #expect(server.requestCount == 3)
        }
    }

    @Test("T-15 a call returns the last attempt's response or error")
    func usedUp() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let busy = try server(failing: 9) { try $0.respond("503 Service Unavailable") }
        let (_, response) = try await session.data(for: request(busy.url()), retrying: policy)
        #expect((response as? HTTPURLResponse)?.statusCode == 503)
        #expect(busy.requestCount == 3)
        let cut = try server(failing: 9) { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 9") }
        #expect(
            await errorCode {
                _ = try await session.data(for: request(cut.url()), retrying: policy)
            } == .networkConnectionLost
        )
        #expect(cut.requestCount == 3)
    }

    @Test("T-15 a call does not repeat a request that a server may have carried out")
    func notIdempotent() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let server = try server(failing: 9) { try $0.respond("503 Service Unavailable") }
        var post = try request(server.url())
        post.httpMethod = "POST"
        _ = try await session.upload(for: post, from: Data("x".utf8), retrying: policy)
        #expect(server.requestCount == 1)
        let lasting = try self.server(failing: 9) { try $0.respond("404 Not Found") }
        _ = try await session.data(for: request(lasting.url()), retrying: policy)
        #expect(lasting.requestCount == 1)
        let put = try self.server(failing: 1) { try $0.respond("503 Service Unavailable") }
        let (_, response) = try await session.upload(
            for: request(put.url()),
            from: Data("x".utf8),
            retrying: policy
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(put.heads.map(\.method) == ["PUT", "PUT"])
    }

    @Test("T-15 a download continues where the last attempt ended")
    func download() async throws {
        let body = PseudoRandom.bytes(90_000)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let first = head["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let last = min(first + 30_000, body.count)
            let status = first > 0 ? "206 Partial Content" : "200 OK"
            let range =
                first > 0
                ? "Content-Range: bytes \(first)-\(body.count - 1)/\(body.count)\r\n" : ""
            try connection.send(
                "HTTP/1.1 \(status)\r\nETag: \"a\"\r\n\(range)"
                    + "Content-Length: \(body.count - first)\r\n\r\n"
            )
            try connection.send(Array(body[first..<last]))
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var policy = policy
        // Fewer than the download needs: an attempt that receives new bytes does not count.
        policy.tries = 2
        let (location, _) = try await session.download(for: request(server.url()), retrying: policy)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(isSameBytes(try Data(contentsOf: location), body))
        #expect(server.requestCount == 3)
    }

    @Test("T-15 a wait ends when the Swift task is cancelled")
    func cancelled() async throws {
        let server = try server(failing: 9) { try $0.respond("503 Service Unavailable") }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var policy = policy
        policy.fixedWait = .seconds(600)
        let asked = try request(server.url())
        let loading = Task { [policy] in try await session.data(for: asked, retrying: policy) }
        #expect(await eventually { await session.allTasks.isEmpty && server.requestCount == 1 })
        loading.cancel()
        #expect(await errorCode { _ = try await loading.value } == .cancelled)
    }
}
