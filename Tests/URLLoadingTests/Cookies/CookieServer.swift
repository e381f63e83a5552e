import FoundationEssentials
import Synchronization
import TestSupport

@testable import URLLoading

/// A server that sets cookies, and records received ones.
final class CookieServer: Sendable {
    let socket: SocketServer
    private let sink: Sink

    init(_ lines: [String]) throws {
        let sink = Sink()
        socket = try SocketServer { connection in
            while let head = try connection.nextHead() {
                sink.note(head.values("cookie").joined(separator: " | "))
                try connection.respond("200 OK", lines.map { "Set-Cookie: \($0)" }, body: "x")
            }
        }
        self.sink = sink
    }

    /// The Cookie fields, one per request.
    var cookies: [String] { sink.all }

    private final class Sink: Sendable {
        private let heard = Mutex<[String]>([])
        var all: [String] { heard.withLock { $0 } }
        func note(_ text: String) { heard.withLock { $0.append(text) } }
    }

    /// Resolves a host name to the server, and loads a page.
    func load(
        host: String = "a.example.com",
        path: String = "/dir/page?q=/x",
        times: Int = 1,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> HTTPCookieStorage {
        let storage = HTTPCookieStorage()
        let session = try URLSession.testing { configuration in
            configuration.httpCookieStorage = storage
            configuration.transport.resolve = ["\(host):\(socket.port):127.0.0.1"]
            change(configuration)
        }
        for _ in 0..<times {
            let page = try url("http://\(host):\(socket.port)\(path)")
            _ = try await session.data(from: page)
        }
        session.finishTasksAndInvalidate()
        return storage
    }
}
