import TestSupport

/// A port that refuses connections for as long as this lives: no other process can get it.
final class RefusingPort: Sendable {
    private let server: SocketServer

    init() throws {
        server = try SocketServer { _ in }
        server.stop()
    }

    /// The port's number.
    var port: Int { server.port }

    /// A path on it.
    func url(_ path: String = "/") -> String {
        server.url(path)
    }
}
