import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Files and data as URLs", .timeLimit(.minutes(1)))
struct LocalLoadingTests {
    private func file(_ path: String) -> URL { URL(filePath: path) }

    @Test("S-09 every kind of task loads a file", arguments: [0, 1, 70_000, 3 << 20])
    func loads(size: Int) async throws {
        let folder = try TestSupport.TemporaryFolder()
        let bytes = PseudoRandom.bytes(size)
        try folder.write(bytes, to: "a b.JPG")
        let url = file(folder.path("a b.JPG"))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: url)
        #expect(isSameBytes(data, bytes))
        #expect(!(response is HTTPURLResponse))
        #expect(response.mimeType == "image/jpeg")
        #expect(response.expectedContentLength == Int64(size))
        #expect(response.suggestedFilename == "a b.JPG")
        #expect(response.modified != nil)
        let (location, _) = try await session.download(from: url)
        #expect(isSameBytes(try Data(contentsOf: location), bytes))
        unlink(location.path)
        let (sequence, _) = try await session.bytes(from: url)
        var count = 0
        for try await _ in sequence { count += 1 }
        #expect(count == size)
        let delegate = RecordingDelegate()
        let withDelegate = try URLSession.testing(delegate)
        defer { withDelegate.finishTasksAndInvalidate() }
        let task = withDelegate.dataTask(with: url)
        task.resume()
        #expect(await delegate.completion(of: task) == nil)
        #expect(isSameBytes(delegate.data(task), bytes))
        #expect(delegate.calls(task).first == .response(0))
        #expect(task.countOfBytesReceived == Int64(size))
    }

    @Test("S-09 a task that cannot load a file names the reason")
    func refusals() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("x", to: "file")
        mkfifo(folder.path("pipe"), 0o600)
        symlink("loop", folder.path("loop"))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let cases: [(String, URLError.Code)] = [
            ("file://\(folder.path)/nothing", .fileDoesNotExist),
            ("file://\(folder.path)/file/x", .fileDoesNotExist),
            ("file://\(folder.path)/loop", .fileDoesNotExist),
            ("file://\(folder.path)", .fileIsDirectory),
            ("file://\(folder.path)/pipe", .cannotOpenFile),
            ("file:///dev/null", .cannotOpenFile),
            ("file:///dev/zero", .cannotOpenFile),
            ("file://elsewhere\(folder.path)/file", .badURL),
            ("file://\(folder.path)/file%00.txt", .badURL),
            ("file:relative", .badURL),
        ]
        for (text, code) in cases {
            let url = try url(text)
            #expect(await errorCode { _ = try await session.data(from: url) } == code, "\(text)")
        }
        for text in ["file://localhost\(folder.path)/file", "file:\(folder.path)/%66ile?q#f"] {
            let (data, _) = try await session.data(from: try url(text))
            #expect(data.count == 1, "\(text)")
        }
    }

    // Modes have no effect on root.
    @Test("S-09 a file without read permission has its own error", .needs(.ordinaryUser))
    func permissions() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("x", to: "secret")
        chmod(folder.path("secret"), 0)
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let url = file(folder.path("secret"))
        let code = await errorCode { _ = try await session.data(from: url) }
        #expect(code == .noPermissionsToReadFile)
    }

    @Test("S-09 a task reads the kernel's files, which have no size, to their end")
    func kernel() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url("file:///proc/self/status"))
        #expect(data.count > 100)
        #expect(response.expectedContentLength == -1)
    }

    @Test("S-09 a file that shrinks during the reading is an error")
    func cutShort() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.writePseudoRandom(size: 8 << 20, to: "long")
        let path = folder.path("long")
        let delegate = RecordingDelegate(.init(received: { _, _ in truncate(path, 1 << 20) }))
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: file(path))
        task.resume()
        #expect(await delegate.completion(of: task) == .resourceUnavailable)
    }

    @Test("S-09 a task sends nothing to a file")
    func sends() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("old", to: "file")
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: file(folder.path("file")))
        let sent = await errorCode { [request] in
            _ = try await session.upload(for: request, from: Data("new".utf8))
        }
        #expect(sent == .unsupportedURL)
        request.httpMethod = "DELETE"
        let deleted = await errorCode { [request] in _ = try await session.data(for: request) }
        #expect(deleted == .unsupportedURL)
        #expect(folder.readText("file") == "old")
        request.httpMethod = "HEAD"
        let (data, response) = try await session.data(for: request)
        #expect(data.isEmpty)
        #expect(response.expectedContentLength == 3)
    }

    @Test("S-09 every kind of task loads a data URL")
    func data() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let url = try url("data:text/html;charset=utf-8;base64,aGVsbG8=")
        let (data, response) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect(response.mimeType == "text/html")
        #expect(response.textEncodingName == "utf-8")
        #expect(response.expectedContentLength == 5)
        let (location, _) = try await session.download(from: url)
        #expect(try Data(contentsOf: location).count == 5)
        unlink(location.path)
        let delegate = BecomingDelegate()
        let withDelegate = try URLSession.testing(delegate)
        defer { withDelegate.finishTasksAndInvalidate() }
        withDelegate.dataTask(with: url).resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.bytes == Array("hello".utf8))
    }

    @Test(
        "S-09 a server's redirect leads to no local file or data",
        arguments: ["file:///etc/passwd", "data:,x", "FILE:///etc/passwd", "file:/etc/passwd"]
    )
    func redirects(to target: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        for delegate in [nil, RecordingDelegate()] {
            let session = try URLSession.testing(delegate)
            defer { session.finishTasksAndInvalidate() }
            let url = try url(server.url())
            let code = await errorCode { _ = try await session.data(from: url) }
            #expect(code == .unsupportedURL)
        }
        try server.verify()
    }
}
