import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Tasks and their cache", .timeLimit(.minutes(1)))
struct CachedTaskTests {
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    @Test("C-01 the cache serves a fresh response without a request, also to another session")
    func fresh() async throws {
        let server = try CacheFixture.server { connection, _, _ in
            try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "kept")
        }
        for round in 0..<3 {
            let session = try fixture.session()
            let (data, response) = try await session.data(from: try url(server.url("/a?b=1")))
            #expect(String(decoding: data, as: UTF8.self) == "kept")
            let http = try #require(response as? HTTPURLResponse)
            #expect(http.statusCode == 200)
            #expect((http.value(forHTTPHeaderField: "Age") != nil) == (round > 0))
            session.finishTasksAndInvalidate()
        }
        #expect(server.requestCount == 1)
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try url(server.url("/a?b=2")))
        #expect(server.requestCount == 2)
        try server.verify()
    }

    @Test("T-12 a body in one piece is delivered before the question whether to store it")
    func wholeBodyFirst() async throws {
        let server = try CacheFixture.server { connection, _, _ in
            try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "kept")
        }
        let order = CallOrder()
        let session = try fixture.session(order)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.prefersIncrementalDelivery = false
        task.resume()
        #expect(await eventually { order.calls.count == 3 })
        #expect(order.calls == ["data kept", "willCache", "end"])
        // The property has no effect on a completion handler.
        let body = Mutex<Data?>(nil)
        let other = session.dataTask(with: try url(server.url("/other"))) { data, _, _ in
            body.withLock { $0 = data ?? Data() }
        }
        other.prefersIncrementalDelivery = false
        other.resume()
        #expect(await eventually { body.withLock { $0 } != nil })
        #expect(body.withLock { $0 } == Data("kept".utf8))
        #expect(order.calls.count == 3)
    }

    private final class CallOrder: URLSessionDataDelegate {
        private let state = Mutex<[String]>([])

        var calls: [String] { state.withLock { $0 } }

        private func note(_ call: String) { state.withLock { $0.append(call) } }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive data: Data
        ) { note("data " + String(decoding: data, as: UTF8.self)) }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            note("willCache")
            completionHandler(proposedResponse)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) { note("end") }
    }

    @Test("C-01 a cookie does not select a stored response, unless the response varies by it")
    func cookies() async throws {
        let server = try CacheFixture.server { connection, head, _ in
            var fields = ["Cache-Control: max-age=60"]
            if head.target == "/varies" { fields.append("Vary: Cookie") }
            try connection.respond("200 OK", fields, body: head["Cookie"] ?? "none")
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        func load(_ path: String, _ cookie: String?) async throws -> String {
            var request = try request(server.url(path))
            request.setValue(cookie, forHTTPHeaderField: "Cookie")
            return String(decoding: try await session.data(for: request).0, as: UTF8.self)
        }
        #expect(try await load("/same", "a=1") == "a=1")
        #expect(try await load("/same", "a=2") == "a=1")
        #expect(try await load("/same", nil) == "a=1")
        #expect(server.requestCount == 1)
        #expect(try await load("/varies", "a=1") == "a=1")
        #expect(try await load("/varies", "a=2") == "a=2")
        #expect(try await load("/varies", "a=2") == "a=2")
        #expect(server.requestCount == 3)
    }

    @Test("C-01 the task validates a stale response, and a 304 costs one round trip and no body")
    func validated() async throws {
        let server = try CacheFixture.server { connection, head, _ in
            if head["If-None-Match"] == "\"v1\"" {
                try connection.respond("304 Not Modified", ["ETag: \"v1\"", "X-Round: again"])
            } else {
                try connection.respond(
                    "200 OK",
                    ["ETag: \"v1\"", "Cache-Control: no-cache"],
                    body: "old"
                )
            }
        }
        let recorder = RecordingDelegate()
        let session = try fixture.session(recorder)
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<2 {
            let task = session.dataTask(with: try url(server.url()))
            task.resume()
            #expect(await recorder.completion(of: task) == nil)
            #expect(recorder.calls(task) == [.response(200), .data(3), .completed(nil)])
            #expect(isSameBytes(recorder.data(task), Data("old".utf8)))
        }
        #expect(server.requestCount == 2)
        try server.verify()
    }

    @Test("C-01 a changed response replaces the stored one")
    func changed() async throws {
        let server = try CacheFixture.server { connection, _, count in
            try connection.respond(
                "200 OK",
                ["ETag: \"v\(count)\"", "Cache-Control: no-cache"],
                body: "body \(count)"
            )
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        for count in 0..<3 {
            let (data, _) = try await session.data(from: try url(server.url()))
            #expect(String(decoding: data, as: UTF8.self) == "body \(count)")
        }
        #expect(server.heads.map { $0["If-None-Match"] } == [nil, "\"v0\"", "\"v1\""])
        try server.verify()
    }

    @Test(
        "C-01 stale-if-error serves the stored response where the server fails, or is unreachable"
    )
    func staleIfError() async throws {
        let server = try CacheFixture.server { connection, _, count in
            switch count {
            case 0:
                try connection.respond(
                    "200 OK",
                    ["ETag: \"v\"", "Cache-Control: max-age=0, stale-if-error=60"],
                    body: "stored"
                )
            case 1: try connection.respond("503 Service Unavailable", body: "no")
            default: connection.reset()
            }
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<3 {
            let (data, response) = try await session.data(from: try url(server.url()))
            #expect(String(decoding: data, as: UTF8.self) == "stored")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        // A reused connection that breaks is replaced for one more attempt.
        #expect(server.requestCount >= 3)
    }

    @Test("C-01 the task requests the whole response after a 304 about another entity")
    func strange304() async throws {
        let server = try CacheFixture.server { connection, head, count in
            if head["If-None-Match"] != nil {
                try connection.respond("304 Not Modified", ["ETag: \"other\""])
            } else {
                try connection.respond(
                    "200 OK",
                    ["ETag: \"v\"", "Cache-Control: no-cache"],
                    body: "body \(count)"
                )
            }
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        for body in ["body 0", "body 2"] {
            let (data, response) = try await session.data(from: try url(server.url()))
            #expect(String(decoding: data, as: UTF8.self) == body)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        try server.verify()
    }

    @Test("C-01 a redirect and its target are stored as well")
    func redirect() async throws {
        let server = try CacheFixture.server { connection, head, _ in
            if head.target == "/from" {
                let fields = ["Location: /to", "Cache-Control: max-age=60"]
                try connection.respond("301 Moved Permanently", fields, body: "moved")
            } else {
                try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "here")
            }
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<2 {
            let (data, response) = try await session.data(from: try url(server.url("/from")))
            #expect(String(decoding: data, as: UTF8.self) == "here")
            #expect(response.url?.path == "/to")
        }
        #expect(server.requestCount == 2)
        try server.verify()
    }

    @Test("C-01 a truncated body is not stored")
    func cutShort() async throws {
        let server = try CacheFixture.server { connection, _, count in
            if count == 0 {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nhalf"
                )
                connection.close()
            } else {
                try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "the whole")
            }
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        let failed = await errorCode { _ = try await session.data(from: try url(server.url())) }
        #expect(failed == .networkConnectionLost)
        let (data, _) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "the whole")
        #expect(server.requestCount == 2)
    }

    @Test("C-01 an unsafe request removes the stored response of its URL")
    func invalidated() async throws {
        let server = try CacheFixture.server { connection, _, count in
            try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "body \(count)")
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        var post = try request(server.url())
        post.httpMethod = "POST"
        for (request, body) in [
            (try request(server.url()), "body 0"), (try request(server.url()), "body 0"),
            (post, "body 1"), (try request(server.url()), "body 2"),
        ] {
            let (data, _) = try await session.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == body)
        }
        try server.verify()
    }

    @Test("C-01 the cache does not store the beginning of a body that the delegate cancels")
    func cancelled() async throws {
        let server = try CacheFixture.server { connection, _, number in
            let fields = "Cache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n"
            try connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n3\r\nbeg\r\n")
            // The client leaves by itself.
            if number == 0 { return try connection.waitForPeerToClose() }
            try connection.send("3\r\nend\r\n0\r\n\r\n")
        }
        let delegate = RecordingDelegate(RecordingDelegate.Behavior(response: .cancel))
        let session = try fixture.session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url("/chunked"))
        let task = session.dataTask(with: address)
        task.resume()
        #expect(await delegate.completion(of: task) == .cancelled)
        let other = try fixture.session()
        defer { other.finishTasksAndInvalidate() }
        let (data, _) = try await other.data(from: address)
        #expect(String(decoding: data, as: UTF8.self) == "begend")
        #expect(server.requestCount == 2)
    }
}
