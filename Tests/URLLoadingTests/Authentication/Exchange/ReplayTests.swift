import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Repeated bodies", .timeLimit(.minutes(2)))
struct ReplayTests {
    let apache: Apache

    init() throws {
        apache = try Apache.shared
    }

    @Test(
        "A-06 the task requests a stream again after a 401 and a 307, and it arrives whole",
        arguments: [
            "/digest/sum", "/basic/sum", "/redirect/307/digest/sum", "/digest/again/sum",
            "/digest-stale/sum",
        ]
    )
    func stream(path: String) async throws {
        let length = 5_000_008
        let delegate = SpoolingDelegate(
            BodySpool(NonReplayableStream(length), memoryLimit: 1 << 20)
        )
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(apache.url(path))
        request.httpMethod = "POST"
        let task = session.uploadTask(withStreamedRequest: request)
        task.delegate = delegate
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let text = String(decoding: recorder.data(task), as: UTF8.self)
        let sum = try sha256(NonReplayableStream.bytes(length))
        #expect(text.contains("sha256: \(sum)\n"), "\(text)")
        #expect(delegate.wanted.withLock { $0 } >= 2)
        // The 401 is not reported.
        #expect(!recorder.calls(task).contains(.response(401)))
    }

    @Test(
        "T-05 data and files are sent again without a call of the delegate",
        arguments: ["basic", "digest"]
    )
    func replayed(place: String) async throws {
        let bytes = Data(PseudoRandom.bytes(3_000_001))
        let folder = try TestSupport.TemporaryFolder()
        let file = URL(filePath: try folder.write(Array(bytes), to: "body"))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(apache.url("/\(place)/sum"))
        request.httpMethod = "POST"
        let sum = try sha256(Array(bytes))
        for isFile in [true, false] {
            let delegate = ChallengeDelegate(.usual)
            let (data, response) =
                isFile
                ? try await session.upload(for: request, fromFile: file, delegate: delegate)
                : try await session.upload(for: request, from: bytes, delegate: delegate)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            let text = String(decoding: data, as: UTF8.self)
            #expect(text.contains("sha256: \(sum)\n"), "\(text)")
        }
    }

    @Test("A-06 a stream that cannot be repeated is an error of its own, and no empty body is sent")
    func exhausted() async throws {
        let delegate = SpoolingDelegate(BodySpool(NonReplayableStream(3_000_000), limit: 1_000_000))
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(apache.url("/redirect/307/open/sum"))
        request.httpMethod = "POST"
        let task = session.uploadTask(withStreamedRequest: request)
        task.delegate = delegate
        task.resume()
        #expect(await recorder.completion(of: task) == .requestBodyStreamExhausted)
    }

    @Test("T-05 a large body waits where a refusal is likely, and is then sent once")
    func waits() async throws {
        let length = 4_000_000
        let bytes = Data(NonReplayableStream.bytes(length))
        for attempt in 1...10 {
            let delegate = MetricsDelegate()
            let session = try URLSession.testing(delegate)
            defer { session.finishTasksAndInvalidate() }
            let target = "/digest/sum?waits-\(attempt)"
            let address = apache.url(target).replacing("://", with: "://name:secret@")
            var request = try request(address)
            request.httpMethod = "POST"
            let (data, _) = try await session.upload(for: request, from: bytes)
            #expect(String(decoding: data, as: UTF8.self).contains(try sha256(Array(bytes))))
            let entries = await apache.log.entries(waitingFor: 2) { $0.target == target }
            #expect(entries.map(\.status) == [401, 200])
            #expect(await eventually { delegate.metrics.count == 1 })
            let refused = try #require(delegate.metrics.first?.transactionMetrics.first)
            let asked = try #require(refused.requestStartDate)
            let responded = try #require(refused.responseStartDate)
            // After a second without a response libcurl rightly sends the body.
            guard responded.timeIntervalSince(asked) < 0.9 else { continue }
            #expect(entries.first.map { $0.bytesReceived < 2_000 } == true, "\(entries)")
            return
        }
        Issue.record("none of the refusals came in time")
    }

    @Test("T-05 a server that refuses the expectation receives the body all the same")
    func refusedExpectation() async throws {
        let bytes = Data(NonReplayableStream.bytes(2_000_000))
        let got = Mutex<[UInt8]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head["expect"] == nil else {
                return try connection.respond("417 Expectation Failed", body: "no")
            }
            let received = try connection.readBody(head)
            got.withLock { $0 = received }
            try connection.respond(body: "yes")
        }
        let session = try URLSession.testing { $0.transport.expectsChallenges = true }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "PUT"
        let (data, response) = try await session.upload(for: request, from: bytes)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: data, as: UTF8.self) == "yes")
        #expect(isSameBytes(got.withLock { $0 }, bytes))
        #expect(server.requestCount == 2)
    }

    @Test("T-05 a late 417 loses no byte of a body of unknown length")
    func lateRefusal() async throws {
        let length = 3_000_000
        let got = Mutex<[UInt8]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head["expect"] == nil else {
                // libcurl has begun to send by then.
                connection.pause(.milliseconds(1_300))
                return try connection.respond("417 Expectation Failed", body: "no")
            }
            let received = try connection.readBody(head)
            got.withLock { $0 = received }
            try connection.respond(body: "yes")
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) { $0.transport.expectsChallenges = true }
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url()))
        task.delegate = SpoolingDelegate(BodySpool(NonReplayableStream(length)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(got.withLock { $0 }, NonReplayableStream.bytes(length)))
    }

    @Test("T-05 a 417 to a request without expectation is the response")
    func meantRefusal() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("417 Expectation Failed", body: "never")
        }
        let session = try URLSession.testing { $0.transport.expectsChallenges = true }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "PUT"
        let small = Data("small".utf8)
        let (data, response) = try await session.upload(for: request, from: small)
        #expect((response as? HTTPURLResponse)?.statusCode == 417)
        #expect(String(decoding: data, as: UTF8.self) == "never")
    }
}
