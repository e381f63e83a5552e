import TestSupport

/// A port that refuses connections as long as this object exists: no other process can get it.
final class RefusingPort: Sendable {
    private let server: SocketServer

    init() throws {
        server = try SocketServer { _ in }
        server.stop()
    }

    /// The port's number.
    var port: Int { server.port }

    /// The URL of a path on the port.
    func url(_ path: String = "/") -> String {
        server.url(path)
    }
}
