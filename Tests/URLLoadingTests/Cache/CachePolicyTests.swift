import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Use of the cache by policy", .timeLimit(.minutes(1)))
struct CachePolicyTests {
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    @Test("downloads neither read the cache nor fill it")
    func downloads() async throws {
        let server = try CacheFixture.server { connection, _, _ in
            try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "file")
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<2 { _ = try await session.download(from: try url(server.url())) }
        _ = try await session.data(from: try url(server.url()))
        _ = try await session.download(from: try url(server.url()))
        #expect(server.requestCount == 4)
        try server.verify()
    }

    @Test(
        "C-02 each policy sends its number of requests to the server",
        arguments: [
            (URLRequest.CachePolicy.useProtocolCachePolicy, 0),
            (.reloadIgnoringLocalCacheData, 1),
            (.reloadIgnoringLocalAndRemoteCacheData, 1),
            (.returnCacheDataElseLoad, 0),
            (.returnCacheDataDontLoad, 0),
            (.reloadRevalidatingCacheData, 1),
        ]
    )
    func policies(_ policy: URLRequest.CachePolicy, _ requests: Int) async throws {
        let server = try CacheFixture.server { connection, head, _ in
            if head["If-None-Match"] != nil {
                try connection.respond("304 Not Modified", ["ETag: \"v\""])
            } else {
                try connection.respond(
                    "200 OK",
                    ["Cache-Control: max-age=60", "ETag: \"v\""],
                    body: "kept"
                )
            }
        }
        let session = try fixture.session()
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try url(server.url()))
        var request = try request(server.url())
        request.cachePolicy = policy
        let (data, response) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "kept")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requestCount == 1 + requests)
        try server.verify()
    }

    @Test("C-02 a missing response is an error without a request where only the cache is allowed")
    func onlyCache() async throws {
        let server = try CacheFixture.server { connection, _, _ in
            try connection.respond(body: "no")
        }
        for hasCache in [true, false] {
            let session = try URLSession.testing { configuration in
                configuration.urlCache = hasCache ? fixture.cache : nil
                configuration.requestCachePolicy = .returnCacheDataDontLoad
            }
            defer { session.finishTasksAndInvalidate() }
            let code = await errorCode { _ = try await session.data(from: try url(server.url())) }
            #expect(code == .cannotLoadFromNetwork)
        }
        #expect(server.requestCount == 0)
    }

    /// Decides about storing as the test says, and records the calls.
    private final class Keeper: URLSessionDataDelegate {
        let asked = Mutex<[Data]>([])
        let ended = Mutex(0)
        private let decide: @Sendable (CachedURLResponse) -> CachedURLResponse?

        init(_ decide: @escaping @Sendable (CachedURLResponse) -> CachedURLResponse?) {
            self.decide = decide
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            asked.withLock { $0.append(proposedResponse.data) }
            completionHandler(decide(proposedResponse))
            // A second call of the handler has no effect.
            completionHandler(proposedResponse)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            ended.withLock { $0 += 1 }
        }
    }

    @Test(
        "T-12 the delegate stores a response, changes it, or does not store it",
        arguments: [("keep", "original", 1), ("change", "changed", 1), ("refuse", "original", 2)]
    )
    func willCache(_ choice: String, _ body: String, _ requests: Int) async throws {
        let server = try CacheFixture.server { connection, _, _ in
            try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "original")
        }
        let keeper = Keeper { proposed in
            switch choice {
            case "keep": proposed
            case "change":
                CachedURLResponse(response: proposed.response, data: Data("changed".utf8))
            default: nil
            }
        }
        let session = try fixture.session(keeper)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { keeper.ended.withLock { $0 } == 1 })
        #expect(keeper.asked.withLock { $0 } == [Data("original".utf8)])
        let (data, _) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == body)
        #expect(server.requestCount == requests)
        try server.verify()
    }
}
