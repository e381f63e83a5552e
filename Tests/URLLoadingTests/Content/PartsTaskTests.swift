import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Tasks and multipart/x-mixed-replace", .timeLimit(.minutes(1)))
struct PartsTaskTests {
    private static let type = "Content-Type: multipart/x-mixed-replace; boundary=\"a b\""

    private static func body(_ count: Int, isClosed: Bool = true) -> String {
        (1...count).map {
            "--a b\r\nX-Part: \($0)\r\nContent-Type: text/plain\r\n\r\npart \($0)\r\n"
        }
        .joined() + (isClosed ? "--a b--\r\n" : "")
    }

    /// Records its calls, and may cancel at a response.
    private final class Delegate: URLSessionDataDelegate {
        struct Response: Equatable {
            var status: Int
            var part: String?
            var type: String?
            var data = ""
        }

        struct State {
            var responses: [Response] = []
            var error: URLError?
            var hasEnded = false
        }

        let state = Mutex(State())
        let refused: Int?
        let isSlow: Bool

        init(refusing refused: Int? = nil, isSlow: Bool = false) {
            self.refused = refused
            self.isSlow = isSlow
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            let http = response as? HTTPURLResponse
            let count = state.withLock { state in
                state.responses.append(
                    Response(
                        status: http?.statusCode ?? 0,
                        part: http?.value(forHTTPHeaderField: "X-Part"),
                        type: response.mimeType
                    )
                )
                return state.responses.count
            }
            let disposition: URLSession.ResponseDisposition = count == refused ? .cancel : .allow
            guard isSlow else { return completionHandler(disposition) }
            // On another thread, after other threads have run.
            Task {
                await Task.yield()
                completionHandler(disposition)
            }
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
        {
            state.withLock { state in
                state.responses[state.responses.count - 1].data += String(
                    decoding: data,
                    as: UTF8.self
                )
            }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            state.withLock { state in
                state.error = error as? URLError
                state.hasEnded = true
            }
        }

        func end() async -> URLError? {
            #expect(await eventually { self.state.withLock { $0.hasEnded } })
            return state.withLock { $0.error }
        }
    }

    private func expected(_ count: Int) -> [Delegate.Response] {
        [Delegate.Response(status: 200, part: nil, type: "multipart/x-mixed-replace")]
            + (1...count).map {
                Delegate.Response(
                    status: 200,
                    part: "\($0)",
                    type: "text/plain",
                    data: "part \($0)"
                )
            }
    }

    @Test(
        "T-11 nginx's parts are delivered in order, each after its own response",
        arguments: [false, true]
    )
    func parts(isSlow: Bool) async throws {
        let name = "parts-\(isSlow).txt"
        _ = try Nginx.shared.addFile(name, text: Self.body(50))
        let delegate = Delegate(isSlow: isSlow)
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(Nginx.shared.url("/multipart/\(name)")))
        task.resume()
        #expect(await delegate.end() == nil)
        #expect(delegate.state.withLock { $0.responses } == expected(50))
        let last = task.response as? HTTPURLResponse
        #expect(last?.value(forHTTPHeaderField: "X-Part") == "50")
        #expect(last?.url == task.currentRequest?.url)
        #expect(task.countOfBytesReceived == 50 * 6 + 41)
    }

    @Test("T-11 a part is delivered when it has arrived, before the next")
    func live() async throws {
        let gate = Flag()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\n\(Self.type)\r\n\r\n")
            try connection.send(Self.body(1, isClosed: false) + "--a b\r\nX-Part: 2\r\n\r\nbegi")
            while !gate.isUp { connection.pause(.milliseconds(5)) }
            try connection.send("n\r\n--a b\r\n")
        }
        let delegate = Delegate()
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(
            await eventually {
                delegate.state.withLock { $0.responses.map(\.data) } == ["", "part 1", "begi"]
            }
        )
        gate.raise()
        #expect(await delegate.end() == nil)
        #expect(delegate.state.withLock { $0.responses.map(\.data) } == ["", "part 1", "begin"])
        try server.verify()
    }

    @Test(
        "T-11 the delegate decides about each part, and cancel ends the task there",
        arguments: [1, 2, 3]
    )
    func cancelled(at response: Int) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", [Self.type], body: Self.body(9))
        }
        let delegate = Delegate(refusing: response)
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: try url(server.url())).resume()
        #expect(await delegate.end()?.code == .cancelled)
        #expect(delegate.state.withLock { $0.responses.count } == response)
        try server.verify()
    }

    @Test("T-11 a completion handler gets the last part as the data, and its response")
    func collected() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", [Self.type], body: Self.body(1_000))
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "part 1000")
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Part") == "1000")
        try server.verify()
    }

    @Test("T-11 a download, and an async byte sequence, has the unchanged body")
    func whole() async throws {
        let body = Self.body(3)
        _ = try Nginx.shared.addFile("parts-whole.txt", text: body)
        let address = try url(Nginx.shared.url("/multipart/parts-whole.txt"))
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (file, _) = try await session.download(from: address)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(isSameBytes(try Data(contentsOf: file), body.utf8))
        let (bytes, _) = try await session.bytes(from: address)
        var read: [UInt8] = []
        for try await byte in bytes { read.append(byte) }
        #expect(isSameBytes(read, body.utf8))
    }

    @Test("T-11 the parts of an encoded body are those of the decoded body")
    func coded() async throws {
        let coded = Coder.gzip.code(Array(Self.body(200).utf8))
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", [Self.type, "Content-Encoding: gzip"], body: coded)
        }
        let delegate = Delegate(isSlow: true)
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: try url(server.url())).resume()
        #expect(await delegate.end() == nil)
        #expect(delegate.state.withLock { $0.responses } == expected(200))
        try server.verify()
    }

    @Test(
        "T-11 a large part waits for a slow delegate, and every byte is delivered",
        arguments: [100, 5_000_000]
    )
    func large(size: Int) async throws {
        let bytes = PseudoRandom.bytes(size)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let head = Array("--a b\r\n\r\n".utf8)
            let body = head + bytes + Array("\r\n".utf8) + head + bytes + Array("\r\n--a b--".utf8)
            try connection.respond("200 OK", [Self.type], body: body)
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(recorder.data(task), bytes + bytes))
        #expect(recorder.calls(task).count { $0 == .response(200) } == 3)
        try server.verify()
    }

    @Test(
        "T-11 a type without a boundary, and a body without parts, cannot be parsed",
        arguments: [
            ("multipart/x-mixed-replace", "--b\r\n\r\nx"),
            ("multipart/x-mixed-replace; boundary=b", "nothing of the kind"),
        ]
    )
    func hostile(type: String, body: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Type: \(type)"], body: body)
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        #expect(
            await errorCode { _ = try await session.data(from: address) } == .cannotParseResponse
        )
        try server.verify()
    }

    @Test("T-11 other kinds of multipart are one body")
    func others() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "200 OK",
                ["Content-Type: multipart/mixed; boundary=b"],
                body: "--b"
            )
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "--b")
        try server.verify()
    }
}
