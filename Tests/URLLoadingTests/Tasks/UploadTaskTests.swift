import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Upload tasks", .timeLimit(.minutes(1)))
struct UploadTaskTests {
    static func put(_ name: String, _ nginx: Nginx, h2: Bool = false) throws -> URLRequest {
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
            for: Self.put("t03-\(size)", nginx),
            from: Data(body)
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(isSameBytes(nginx.uploaded("t03-\(size)"), body))
    }

    @Test(
        "T-04 a task streams an upload from a file whole, over HTTP/1.1 and HTTP/2",
        arguments: [false, true]
    )
    func file(h2: Bool) async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder()
        let path = try folder.writePseudoRandom(size: 5 << 20, to: "body")
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let name = "t04-\(h2)"
        let (_, response) = try await session.upload(
            for: Self.put(name, nginx, h2: h2),
            fromFile: URL(filePath: path)
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(isSameBytes(nginx.uploaded(name), PseudoRandom.bytes(5 << 20)))
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

    @Test("T-06 the task reports the sent bytes, to the last, and then the response")
    func progress() async throws {
        let nginx = try Nginx.shared
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(
            with: try Self.put("t06", nginx),
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

    @Test("T-06 the last count arrives while the server still thinks, and before the response")
    func lastCount() async throws {
        let (bytes, gate) = (PseudoRandom.bytes(4 << 20), Gate())
        let server = try SocketServer { connection in
            _ = try connection.readBody(try connection.readHead())
            _ = gate.wait(atMost: .seconds(30))
            try connection.respond(body: "taken")
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(with: try request(server.url()), from: Data(bytes))
        task.resume()
        #expect(await eventually { task.countOfBytesSent == 4 << 20 })
        gate.open()
        #expect(await recorder.completion(of: task) == nil)
        let order = recorder.calls(task).map { call in
            switch call {
            case .sent: 0
            case .response: 1
            default: 2
            }
        }
        #expect(order == order.sorted())
    }

    @Test("T-06 uploads under one limit take turns")
    func sharedLimit() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(try connection.readHead())
            try connection.respond(body: "taken")
        }
        let session = try URLSession.testing { $0.transport.maximumBytesPerSecond = 600_000 }
        defer { session.invalidateAndCancel() }
        let tasks = try (0..<2).map { number in
            let address = try request(server.url("/\(number)"))
            return session.uploadTask(with: address, from: Data(PseudoRandom.bytes(300_000)))
        }
        for task in tasks { task.resume() }
        #expect(await eventually { tasks.contains { $0.state == .completed } })
        #expect(tasks.allSatisfy { $0.countOfBytesSent > 150_000 })
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

    @Test("T-06 a response before the body's end is an error")
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
        arguments: [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil)]
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
