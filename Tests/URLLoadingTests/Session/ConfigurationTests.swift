import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    @Test("S-05 the client sends additional headers, and a request's own precede them")
    func headers() async throws {
        let session = try URLSession.testing {
            $0.httpAdditionalHeaders = ["X-Test": "session", "X-Api-Key": "key"]
        }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(try Nginx.shared.url("/echo/s05"))
        request.setValue("request", forHTTPHeaderField: "x-test")
        let text = String(decoding: try await session.data(for: request).0, as: UTF8.self)
        #expect(text.contains("x-test: request\n"))
        #expect(text.contains("x-api-key: key\n"))
        #expect(text.contains("user-agent: URLLoading/"))
    }

    @Test("S-05 the client sends several values of one header as several lines")
    func repeatedHeaders() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.addValue("one", forHTTPHeaderField: "X-Test")
        request.addValue("two", forHTTPHeaderField: "x-test")
        request.setValue("text/plain", forHTTPHeaderField: "accept")
        _ = try await session.data(for: request)
        #expect(server.heads.first?.values("X-Test") == ["one", "two"])
        #expect(server.heads.first?.values("Accept") == ["text/plain"])
    }

    @Test("S-05 a rate limits both directions from the first second on", arguments: [true, false])
    func rate(isUpload: Bool) async throws {
        let session = try URLSession.testing { $0.transport.maximumBytesPerSecond = 300_000 }
        defer { session.finishTasksAndInvalidate() }
        let nginx = try Nginx.shared
        let started = ContinuousClock.now
        if isUpload {
            var request = try request(nginx.url("/dav/s05-rate"))
            request.httpMethod = "PUT"
            let body = PseudoRandom.bytes(400_000)
            _ = try await session.upload(for: request, from: Data(body))
            #expect(isSameBytes(nginx.uploaded("s05-rate"), body))
        } else {
            let file = try nginx.addLargeFile("s05-rate.bin", size: 400_000)
            let (data, _) = try await session.data(from: try url(nginx.url(file)))
            #expect(isSameBytes(data, PseudoRandom.bytes(400_000)))
        }
        // 400 kB at 300 kB/s, of which a tenth of a second's may come at once.
        #expect(ContinuousClock.now - started > .milliseconds(1_000))
    }

    /// Responds with a body of a number of bytes, one after another.
    private static func drip(
        _ count: Int,
        every pause: Duration,
        over connection: SocketConnection
    ) throws {
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
        try connection.sendSlowly(String(repeating: "x", count: count), piece: 1, every: pause)
    }

    @Test("S-05 the idle timeout counts silence and not slowness")
    func idle() async throws {
        let slow = try SocketServer { connection in
            _ = try connection.readHead()
            try Self.drip(7, every: .milliseconds(800), over: connection)
        }
        // Shorter than the whole, and long beside each of its pauses.
        let longer = try URLSession.testing { $0.timeoutIntervalForRequest = 4 }
        defer { longer.finishTasksAndInvalidate() }
        #expect(try await longer.data(from: try url(slow.url())).0.count == 7)
        let silent = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nx")
            try connection.waitForPeerToClose()
        }
        let session = try URLSession.testing { $0.timeoutIntervalForRequest = 0.5 }
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: url(silent.url())) }
        #expect(code == .timedOut)
    }

    @Test("S-05 the whole timeout also ends a transfer that is not silent")
    func whole() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try Self.drip(1_000, every: .milliseconds(20), over: connection)
        }
        let session = try URLSession.testing { $0.timeoutIntervalForResource = 0.5 }
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: url(server.url())) }
        #expect(code == .timedOut)
    }

    @Test("S-05 the whole timeout counts all hops of a task together")
    func wholeOverHops() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            connection.pause(.milliseconds(100))
            try connection.respond("302 Found", ["Location: /again"])
        }
        let session = try URLSession.testing {
            $0.timeoutIntervalForResource = 0.5
            $0.transport.maximumRedirects = 1_000
        }
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: url(server.url())) }
        #expect(code == .timedOut)
    }

    @Test("S-05 neither timeout counts while a task is suspended")
    func suspended() async throws {
        let mayGoOn = Flag()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            while !mayGoOn.isUp { connection.pause(.milliseconds(5)) }
            try connection.send("b")
        }
        let recorder = RecordingDelegate(
            .init(received: { task, data in
                if data.first == UInt8(ascii: "a") { task.suspend() }
            })
        )
        let session = try URLSession.testing(recorder) {
            $0.timeoutIntervalForRequest = 5
            $0.timeoutIntervalForResource = 5
        }
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { task.state == .suspended })
        // Longer than both timeouts: the test needs this time to elapse.
        #expect(await !happens(in: .seconds(6)) { task.state != .suspended })
        mayGoOn.raise()
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
    }

    @Test(
        "S-05 infinite, zero and fractional timeouts neither trap nor fire",
        arguments: [Double.infinity, 0, -1, .nan, 1e18, 30.5]
    )
    func odd(seconds: Double) async throws {
        let session = try URLSession.testing {
            $0.timeoutIntervalForRequest = seconds
            $0.timeoutIntervalForResource = seconds
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        #expect(!(try await session.data(from: address).0.isEmpty))
    }

    @Test(
        "S-05 the session opens no more connections to one host than the configuration allows",
        arguments: [1, 3]
    )
    func connections(most: Int) async throws {
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil {
                connection.pause(.milliseconds(20))
                try connection.respond(body: "x")
            }
        }
        let session = try URLSession.testing { $0.httpMaximumConnectionsPerHost = most }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        try await withThrowingTaskGroup { group in
            for _ in 0..<12 { group.addTask { _ = try await session.data(from: address) } }
            try await group.waitForAll()
        }
        #expect(server.requestCount == 12)
        #expect(server.connectionCount == most)
    }

    @Test("S-05 a task that waits for a free connection does not count as silent")
    func queued() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            // All others wait for this one longer than the timeout, and it is never silent for that long.
            try Self.drip(40, every: .milliseconds(100), over: connection)
            while (try connection.nextHead()) != nil { try connection.respond(body: "x") }
        }
        let session = try URLSession.testing {
            $0.httpMaximumConnectionsPerHost = 1
            $0.timeoutIntervalForRequest = 3
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 { group.addTask { _ = try await session.data(from: address) } }
            try await group.waitForAll()
        }
        #expect(server.requestCount == 6)
    }
}
