import TestSupport

/// A server that sends the first half of a body, and the second when the test calls `finish`.
struct HalfwayServer {
    let server: SocketServer
    private let gate: Gate

    /// Starts the server, with a body of `size` bytes, whose length the head may announce.
    init(size: Int = 1_000_000, isLengthKnown: Bool = true) throws {
        let gate = Gate()
        self.gate = gate
        server = try SocketServer { connection in
            _ = try connection.readHead()
            let length = isLengthKnown ? "Content-Length: \(size)" : "Connection: close"
            try connection.send("HTTP/1.1 200 OK\r\n\(length)\r\n\r\n")
            try connection.send([UInt8](repeating: 0x61, count: size / 2))
            try gate.wait()
            try connection.send([UInt8](repeating: 0x62, count: size - size / 2))
        }
    }

    func url(_ path: String = "/") -> String {
        server.url(path)
    }

    /// Sends the rest.
    func finish() {
        gate.open()
    }
}
