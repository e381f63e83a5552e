import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Files that a task needs, and that keep their readers waiting: FIFOs without a writer.
@Suite("Files read for a task", .timeLimit(.minutes(1)))
struct ReadingTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("reading")
        try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
    }

    /// Waits until a task reads the FIFO.
    ///
    /// - Returns: its other end, which keeps the reader waiting until the test closes it.
    private func reader() async throws -> CInt {
        let end = Mutex<CInt>(-1)
        let isRead = await eventually {
            let number = open(folder.path("fifo"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { return false }
            end.withLock { $0 = number }
            return true
        }
        try #require(isRead)
        return end.withLock { $0 }
    }

    @Test("the session reads the HSTS file after a redirect, while other tasks run")
    func redirected() async throws {
        let nginx = try Nginx.shared
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "there")
        }
        let session = try URLSession.testing {
            $0.transport.strictTransportSecurity = .file(folder.path("fifo"))
        }
        defer { session.finishTasksAndInvalidate() }
        let redirect = nginx.tlsURL("/redirect/to-http?host=127.0.0.1:\(server.port)")
        let target = try url(redirect)
        let first = Task { try await session.data(from: target) }
        let end = try await reader()
        let other = try url(nginx.tlsURL("/files/hello.txt"))
        let (data, _) = try await session.data(from: other)
        #expect(String(decoding: data, as: UTF8.self) == "Hello, world!\n")
        #expect(server.requestCount == 0)
        close(end)
        #expect(String(decoding: try await first.value.0, as: UTF8.self) == "there")
    }

    @Test("a policy before the file was read delays no task, and applies")
    func promise() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing {
            $0.transport.strictTransportSecurity = .file(folder.path("fifo"))
        }
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try url(nginx.tlsURL("/hsts/1000")))
        let hsts = try #require(session.hsts)
        let plain = try url("http://localhost/")
        let upgraded = Mutex<URL?>(nil)
        DispatchQueue.global().async { upgraded.withLock { $0 = hsts.upgraded(plain) } }
        close(try await reader())
        #expect(await eventually { upgraded.withLock { $0?.scheme } == "https" })
    }

    @Test("the session reads cookies before it locks the task, which can be cancelled meanwhile")
    func cookies() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let recorder = RecordingDelegate()
        let storage = HTTPCookieStorage(file: URL(filePath: folder.path("fifo")))
        let session = try URLSession.testing(recorder) { $0.httpCookieStorage = storage }
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        DispatchQueue.global().async { task.resume() }
        let end = try await reader()
        let isCancelled = Mutex(false)
        DispatchQueue.global().async {
            task.cancel()
            isCancelled.withLock { $0 = true }
        }
        #expect(await eventually { isCancelled.withLock { $0 } })
        close(end)
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(server.requestCount == 0)
    }
}
