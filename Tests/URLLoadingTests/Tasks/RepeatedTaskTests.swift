import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Tasks that repeat another's request", .timeLimit(.minutes(1)))
struct RepeatedTaskTests {
    /// A server that redirects `/in`, resets the first `/next`, and responds to the others.
    private static func server(_ status: String) throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            let body = try connection.readBody(head)
            if head.target == "/in" {
                try connection.respond(status, ["Location: /next"])
            } else if connection.number == 1 {
                connection.reset()
            } else {
                try connection.respond(body: Array("\(head.method) ".utf8) + body)
            }
        }
    }

    @Test("T-15 a repeating task begins where the other failed, and keeps that one's start")
    func lastRequest() async throws {
        let server = try Self.server("302 Found")
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.dataTask(with: try url(server.url("/in")))
        first.resume()
        #expect(await recorder.completion(of: first) == .networkConnectionLost)
        let second = session.dataTask(repeating: first) { request in
            request.setValue("yes", forHTTPHeaderField: "X-Again")
        }
        second.resume()
        #expect(await recorder.completion(of: second) == nil)
        #expect(server.heads.map(\.target) == ["/in", "/next", "/next"])
        #expect(server.heads.last?["X-Again"] == "yes")
        #expect(second.originalRequest?.url?.path == "/in")
        #expect(second.currentRequest?.url?.path == "/next")
        #expect(second.redirectCount == 1)
    }

    @Test("T-15 a repeating task has the body where the redirect kept it", arguments: [307, 303])
    func body(status: Int) async throws {
        let server = try Self.server("\(status) Elsewhere")
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url("/in"))
        request.httpMethod = "PUT"
        let first = session.uploadTask(with: request, from: Data("body".utf8))
        first.resume()
        #expect(await recorder.completion(of: first) == .networkConnectionLost)
        #expect(first.sendsBody == (status == 307))
        let second = session.uploadTask(repeating: first)
        second.resume()
        #expect(await recorder.completion(of: second) == nil)
        let text = String(decoding: recorder.data(second), as: UTF8.self)
        #expect(text == (status == 307 ? "PUT body" : "GET "))
    }

    @Test("T-15 the session's secret fields do not return where a redirect dropped them")
    func crossing() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            if connection.number == 0 { return connection.reset() }
            try connection.respond(body: "x")
        }
        let target = other.url("/next")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) {
            $0.httpAdditionalHeaders = ["Authorization": "Bearer secret", "X-Own": "yes"]
        }
        defer { session.finishTasksAndInvalidate() }
        let first = session.downloadTask(with: try url(server.url("/in")))
        first.resume()
        #expect(await recorder.completion(of: first) == .networkConnectionLost)
        let second = session.downloadTask(repeating: first, continuing: nil)
        second.resume()
        #expect(await recorder.completion(of: second) == nil)
        #expect(server.heads.map { $0["Authorization"] } == ["Bearer secret"])
        #expect(other.heads.map { $0["Authorization"] } == [nil, nil])
        #expect(other.heads.map { $0["X-Own"] } == ["yes", "yes"])
    }

    /// The failure of a request at a certain point.
    private func failure(_ address: String) async throws -> FailedRequest? {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        do {
            _ = try await session.data(from: url(address))
            return nil
        } catch {
            return (error as? URLError)?.failedRequest
        }
    }

    @Test("an error tells whether the server may have acted on the request")
    func failedRequest() async throws {
        let server = try SocketServer { connection in
            _ = try connection.read(exactly: 5)
            connection.reset()
        }
        #expect(try await failure(server.url())?.mayHaveReachedServer == true)
        let secure = "https://127.0.0.1:\(server.port)/"
        #expect(try await failure(secure)?.mayHaveReachedServer == false)
        // Too long for the DNS, so that the lookup asks no server.
        let long = String(repeating: "a", count: 64)
        let unknown = try await failure("http://\(long).invalid/")
        #expect(unknown == FailedRequest(mayHaveReachedServer: false))
        let refused = try await failure("http://127.0.0.1:1/")
        #expect(refused == FailedRequest(mayHaveReachedServer: false, systemError: ECONNREFUSED))
    }
}
