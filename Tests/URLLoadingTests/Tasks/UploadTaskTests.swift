import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Upload tasks", .timeLimit(.minutes(1)))
struct UploadTaskTests {
    private func put(_ name: String, _ nginx: Nginx, h2: Bool = false) throws -> URLRequest {
        var request = try request(h2 ? nginx.http2URL("/dav/\(name)") : nginx.url("/dav/\(name)"))
        request.httpMethod = "PUT"
        return request
    }

    @Test("T-03 an upload from data arrives whole", arguments: [0, 1, 70_000, 3 << 20])
    func data(size: Int) async throws {
        let nginx = try Nginx.shared
        let body = PseudoRandom.bytes(size)
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.upload(
            for: put("t03-\(size)", nginx),
            from: Data(body)
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(isSame(nginx.uploaded("t03-\(size)"), body))
    }

    @Test(
        "T-04 a task streams an upload from a file whole, over HTTP/1.1 and HTTP/2",
        arguments: [
            false, true,
        ]
    )
    func file(h2: Bool) async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder()
        let path = try folder.writePseudoRandom(size: 5 << 20, to: "body")
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let name = "t04-\(h2)"
        let (_, response) = try await session.upload(
            for: put(name, nginx, h2: h2),
            fromFile: URL(filePath: path)
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(isSame(nginx.uploaded(name), PseudoRandom.bytes(5 << 20)))
    }

    @Test("T-04 a missing file, a folder, and a pipe are errors before the client sends anything")
    func badFiles() async throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path("fifo"), 0o600)
        let server = try SocketServer { try $0.respond() }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let cases: [(String, URLError.Code)] = [
            (folder.path("missing"), .fileDoesNotExist),
            (folder.path, .fileIsDirectory),
            (folder.path("fifo"), .cannotOpenFile),
        ]
        for (path, code) in cases {
            let got = await errorCode {
                _ = try await session.upload(
                    for: request(server.url()),
                    fromFile: URL(filePath: path)
                )
            }
            #expect(got == code, "\(path)")
        }
        #expect(server.connectionCount == 0)
    }

    @Test("T-04 a file that shrinks while the client sends it fails the task, and is never padded")
    func shrinking() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.writePseudoRandom(size: 8 << 20, to: "body")
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            _ = try connection.readHead()
            _ = try connection.read(exactly: 1)
            truncate(path, 1_000)
            _ = try connection.readToEnd()
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode {
            _ = try await session.upload(for: request(server.url()), fromFile: URL(filePath: path))
        }
        #expect(code == .cannotOpenFile)
    }

    @Test("T-05 a streamed upload asks for its stream, and sends it chunked")
    func streamed() async throws {
        let nginx = try Nginx.shared
        let body = PseudoRandom.bytes(400_000)
        let recorder = RecordingDelegate(.init(bodyStream: { _ in UnknownLengthStream(body) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try put("t05", nginx))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .needNewBodyStream)
        #expect(isSame(nginx.uploaded("t05"), body))
    }

    @Test("T-05 a pipe without data pauses the transfer and blocks no other")
    func pipe() async throws {
        let nginx = try Nginx.shared
        var ends: [CInt] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in DescriptorBodyStream(reader) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try put("t05-pipe", nginx))
        task.resume()
        #expect(write(writer, "first ", 6) == 6)
        #expect(await eventually { task.countOfBytesSent == 6 })
        // While it waits, another task of the session runs to its end.
        let address = try url(nginx.url("/files/hello.txt"))
        let other = session.dataTask(with: address)
        other.resume()
        #expect(await recorder.completion(of: other) == nil)
        #expect(task.state == .running)
        #expect(write(writer, "second", 6) == 6)
        close(writer)
        #expect(await recorder.completion(of: task) == nil)
        #expect(nginx.uploaded("t05-pipe") == Array("first second".utf8))
        #expect(recorder.calls(task).filter { $0 == .needNewBodyStream }.count == 1)
    }

    @Test(
        "T-05 a 307 makes the task ask for the stream again, and the body arrives whole",
        arguments: [307, 308]
    )
    func redirected(code: Int) async throws {
        let body = PseudoRandom.bytes(100_000)
        let got = Mutex<[UInt8]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let received = try connection.readBody(head)
            if head.target == "/first" {
                try connection.respond("\(code) Moved", ["Location: second"])
            } else {
                got.withLock { $0 = received }
                try connection.respond()
            }
        }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in UnknownLengthStream(body) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url("/first")))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).filter { $0 == .needNewBodyStream }.count == 2)
        #expect(isSame(got.withLock { $0 }, body))
        #expect(server.heads.map(\.method) == ["PUT", "PUT"])
    }

    @Test("T-05 a stream that cannot begin again fails the task, and no empty body is ever sent")
    func exhausted() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(connection.readHead())
            try connection.respond("307 Again", ["Location: /again"])
        }
        let recorder = RecordingDelegate(
            .init(bodyStream: { $0 == 1 ? UnknownLengthStream(Array("once".utf8)) : nil })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == .requestBodyStreamExhausted)
        #expect(server.requestCount == 1)
    }

    @Test("T-06 the task reports the sent bytes, to the last, and then the response")
    func progress() async throws {
        let nginx = try Nginx.shared
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(
            with: try put("t06", nginx),
            from: Data(PseudoRandom.bytes(4 << 20))
        )
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        var total: Int64 = 0
        for case .sent(let bytes, let all, let expected) in recorder.calls(task) {
            total += bytes
            #expect(all == total)
            #expect(expected == 4 << 20)
        }
        #expect(total == 4 << 20)
        #expect(task.countOfBytesSent == 4 << 20)
    }

    @Test("T-06 the length of a stream is −1 where it is unknown")
    func unknownLength() async throws {
        let nginx = try Nginx.shared
        let recorder = RecordingDelegate(
            .init(bodyStream: { _ in UnknownLengthStream(PseudoRandom.bytes(100_000)) })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try put("t06-unknown", nginx))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let sent = recorder.calls(task).compactMap { call -> Int64? in
            guard case .sent(_, let total, -1) = call else { return nil }
            return total
        }
        #expect(sent.last == 100_000)
    }

    @Test(
        "T-05 a refusal ends the task also while its body has nothing to send",
        arguments: [401, 413, 503]
    )
    func refusedWhileWaiting(status: Int) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let fields = status == 503 ? ["Connection: close"] : []
            try connection.respond("\(status) No", fields, body: "no")
            try connection.waitForPeerToClose()
        }
        var ends: [CInt] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer {
            close(reader)
            close(writer)
        }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in DescriptorBodyStream(reader) }))
        let session = try URLSession.testing(recorder)
        defer { session.invalidateAndCancel() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect((task.response as? HTTPURLResponse)?.statusCode == status)
    }

    @Test("T-03 the client refuses a HEAD request with a body before it sends anything")
    func headWithBody() async throws {
        let server = try SocketServer { try $0.respond() }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "HEAD"
        request.httpBody = Data("x".utf8)
        #expect(await errorCode { _ = try await session.data(for: request) } == .badURL)
        #expect(server.connectionCount == 0)
    }

    @Test("T-06 a response that comes before the body's end is no success")
    func earlyResponse() async throws {
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.finishSending()
            connection.pause(.milliseconds(200))
        }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let code = await errorCode {
            _ = try await session.upload(
                for: request(server.url()),
                from: Data(PseudoRandom.bytes(16 << 20))
            )
        }
        #expect(code == .networkConnectionLost)
    }

    @Test(
        "T-03 POST, PUT and PATCH without a body send length 0, and GET sends none",
        arguments: [
            ("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil),
        ]
    )
    func emptyBodies(method: String, length: String?) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = method
        _ = try await session.data(for: request)
        #expect(server.heads.first?["Content-Length"] == length)
        #expect(server.heads.first?.method == method)
        #expect(server.heads.first?["Expect"] == nil)
    }
}

/// Bytes as a stream of unknown length.
final class UnknownLengthStream: HTTPBodyStream {
    private let stream: DataBodyStream

    init(_ bytes: [UInt8]) {
        stream = DataBodyStream(Data(bytes))
    }

    var contentLength: Int64? { nil }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try stream.read(into: space)
    }
}
