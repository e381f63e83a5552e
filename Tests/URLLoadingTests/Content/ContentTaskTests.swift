import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Tasks and content codings", .timeLimit(.minutes(2)))
struct ContentTaskTests {
    private static let text = Coder.text(20_000)

    /// Real servers that encode their bodies.
    enum Origin: String, CaseIterable, Sendable {
        case nginx, nginxStatic, apacheGzip, apacheBrotli

        var coding: String { self == .apacheBrotli ? "br" : "gzip" }

        func address(_ name: String) throws -> String {
            switch self {
            case .nginx:
                _ = try Nginx.shared.addFile(name, bytes: text)
                return try Nginx.shared.url("/gzip/\(name)")
            case .nginxStatic:
                _ = try Nginx.shared.addFile(name + ".gz", bytes: Coder.gzip.code(text))
                _ = try Nginx.shared.addFile(name, bytes: text)
                return try Nginx.shared.url("/gzip-static/\(name)")
            case .apacheGzip: return try Apache.shared.url("/coded/gzip/text.txt")
            case .apacheBrotli: return try Apache.shared.url("/coded/br/text.txt")
            }
        }
    }

    @Test(
        "T-02 encoded bodies are delivered decoded, as a whole and piece by piece",
        arguments: Origin.allCases
    )
    func decoded(origin: Origin) async throws {
        let address = try url(origin.address("content-\(origin).txt"))
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: address)
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.value(forHTTPHeaderField: "Content-Encoding") == origin.coding)
        #expect(http.expectedContentLength == -1)
        #expect(isSameBytes(data, Self.text))
        let task = session.dataTask(with: address)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(recorder.data(task), Self.text))
        #expect(task.countOfBytesReceived == Self.text.count)
        #expect(task.countOfBytesExpectedToReceive == -1)
        let (bytes, _) = try await session.bytes(from: address)
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(count == Self.text.count)
    }

    @Test(
        "T-07 a download requests no codings and decodes none: it has the stored bytes",
        arguments: Origin.allCases
    )
    func download(origin: Origin) async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (file, response) = try await session.download(
            from: try url(origin.address("stored-\(origin).txt"))
        )
        defer { try? FileManager.default.removeItem(at: file) }
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.value(forHTTPHeaderField: "Content-Encoding") == nil)
        #expect(isSameBytes(try Data(contentsOf: file), Self.text))
    }

    @Test("a session requests all codings that it decodes, but not for ranges and downloads")
    func asking() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil { try connection.respond(body: "x") }
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        func ask(_ change: (inout URLRequest) -> Void) async throws -> String? {
            var request = try request(server.url())
            change(&request)
            _ = try await session.data(for: request)
            return server.heads.last?["Accept-Encoding"]
        }
        #expect(try await ask { _ in } == "gzip, deflate, br, zstd")
        #expect(try await ask { $0.httpMethod = "POST" } == "gzip, deflate, br, zstd")
        #expect(try await ask { $0.httpMethod = "HEAD" } == nil)
        #expect(try await ask { $0.addValue("bytes=0-", forHTTPHeaderField: "Range") } == nil)
        #expect(try await ask { $0.addValue("br", forHTTPHeaderField: "accept-encoding") } == "br")
        _ = try await session.upload(for: try request(server.url()), from: Data("x".utf8))
        #expect(server.heads.last?["Accept-Encoding"] == "gzip, deflate, br, zstd")
        let (file, _) = try await session.download(from: try url(server.url()))
        try FileManager.default.removeItem(at: file)
        #expect(server.heads.last?["Accept-Encoding"] == nil)
        try server.verify()
    }

    /// A session's setting, whether the caller sets Accept-Encoding, and whether the body is decoded.
    @Test(
        "a body is decoded unless the caller sets Accept-Encoding; the session may always or never decode",
        arguments: [
            (URLSessionConfiguration.ContentDecoding.automatic, true, false),
            (.automatic, false, true), (.always, true, true), (.always, false, true),
            (.never, true, false), (.never, false, false),
        ]
    )
    func choosing(
        decoding: URLSessionConfiguration.ContentDecoding,
        asksItself: Bool,
        isDecoded: Bool
    ) async throws {
        let coded = Coder.gzip.code(Self.text)
        // The body is decoded also where the coding was not requested.
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Encoding: gzip"], body: coded)
        }
        let session = try URLSession.testing { $0.transport.contentDecoding = decoding }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        if asksItself { request.addValue("gzip", forHTTPHeaderField: "Accept-Encoding") }
        let (data, response) = try await session.data(for: request)
        #expect(isSameBytes(data, isDecoded ? Self.text : coded))
        #expect(response.expectedContentLength == (isDecoded ? -1 : Int64(coded.count)))
        let asked = server.heads.first?["Accept-Encoding"]
        #expect(
            asked == (asksItself ? "gzip" : decoding == .never ? nil : "gzip, deflate, br, zstd")
        )
        try server.verify()
    }

    @Test("a session that omits Accept-Encoding still decodes an encoded body")
    func omitted() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "200 OK",
                ["Content-Encoding: br"],
                body: Coder.br.code(Self.text)
            )
        }
        let session = try URLSession.testing {
            $0.transport.omittedDefaultHeaders = ["Accept-Encoding"]
        }
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: try url(server.url()))
        #expect(server.heads.first?["Accept-Encoding"] == nil)
        #expect(isSameBytes(data, Self.text))
        try server.verify()
    }

    @Test("a partial response contains stored bytes, and is not decoded")
    func part() async throws {
        let coded = Coder.gzip.code(Self.text)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "206 Partial Content",
                ["Content-Encoding: gzip", "Content-Range: bytes 100-199/\(coded.count)"],
                body: Array(coded[100..<200])
            )
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.addValue("bytes=100-199", forHTTPHeaderField: "Range")
        #expect(isSameBytes(try await session.data(for: request).0, coded[100..<200]))
        try server.verify()
    }

    @Test(
        "the task does not decode a response without a body, whatever its fields are",
        arguments: ["204 No Content", "304 Not Modified", "200 OK"]
    )
    func bodiless(status: String) async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let length = head.method == "HEAD" ? ["Content-Length: 1000"] : []
            let lines = ["HTTP/1.1 \(status)", "Content-Encoding: gzip"] + length
            try connection.send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = status == "200 OK" ? "HEAD" : "GET"
        let (data, response) = try await session.data(for: request)
        #expect(data.isEmpty)
        if status == "200 OK" { #expect(response.expectedContentLength == 1_000) }
        try server.verify()
    }

    @Test(
        "a truncated or damaged body is an error, after the data before the damage",
        arguments: ["truncated", "trailing", "unknown"]
    )
    func damaged(kind: String) async throws {
        let coded = Coder.gzip.code(Self.text)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let body = kind == "truncated" ? Array(coded.dropLast(9)) : coded + [1, 2, 3]
            let name = kind == "unknown" ? "rot13" : "gzip"
            try connection.respond("200 OK", ["Content-Encoding: \(name)"], body: body)
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        let code = await recorder.completion(of: task)
        #expect(code == (kind == "unknown" ? .cannotDecodeRawData : .cannotDecodeContentData))
        #expect(recorder.calls(task).first == .response(200))
        if kind != "unknown" { #expect(recorder.data(task).count > Self.text.count / 2) }
        #expect(Self.text.starts(with: recorder.data(task)))
        try server.verify()
    }

    @Test(
        "T-02 a slow delegate stops a decompression bomb, also when all of its bytes have arrived"
    )
    func bomb() async throws {
        // 1 GiB of zeros would take seconds to make, so several gzip members are joined.
        let member = Coder.gzip.code(Array(repeating: 0, count: 16 << 20))
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let body = Array(repeatElement(member, count: 8).joined())
            try connection.respond("200 OK", ["Content-Encoding: gzip"], body: body)
        }
        let brake = DispatchSemaphore(value: 0)
        let recorder = RecordingDelegate(
            .init(received: { _, _ in
                brake.wait()
                brake.signal()
            })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 1 << 20 })
        // The duration is under test: no more data is delivered within it.
        #expect(await !happens(in: .milliseconds(300)) { task.countOfBytesReceived > 2 << 20 })
        brake.signal()
        #expect(await recorder.completion(of: task, within: .seconds(60)) == nil)
        #expect(task.countOfBytesReceived == 128 << 20)
        try server.verify()
    }

    @Test("T-13 a task that waits to deliver a decompression bomb can be cancelled")
    func cancelledBomb() async throws {
        let member = Coder.gzip.code(Array(repeating: 0, count: 16 << 20))
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Encoding: gzip"], body: member)
        }
        let brake = DispatchSemaphore(value: 0)
        let recorder = RecordingDelegate(.init(received: { _, _ in brake.wait() }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 1 << 20 })
        task.cancel()
        for _ in 0..<64 { brake.signal() }
        #expect(await recorder.completion(of: task) == .cancelled)
        try server.verify()
    }

    @Test("bodies are decoded over HTTP/2 as well", arguments: [1, 8])
    func overHTTP2(tasks: Int) async throws {
        _ = try Nginx.shared.addFile("content-h2.txt", bytes: Self.text)
        let address = try url(Nginx.shared.http2URL("/gzip/content-h2.txt"))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<tasks {
                group.addTask { isSameBytes(try await session.data(from: address).0, Self.text) }
            }
            for try await same in group { #expect(same) }
        }
    }
}
