import TestSupport

/// A server that sends a body slowly until the test calls `finish`.
struct DrippingServer {
    let server: SocketServer
    private let gate: Gate

    /// Starts the server, with a body that would take 20 s.
    ///
    /// - Parameters:
    ///   - size: The announced length of the body.
    ///   - isWhole: Whether `finish` sends the rest of the body, or closes the connection.
    /// - Throws: The errors of the listener.
    init(size: Int, isWhole: Bool = true) throws {
        let gate = Gate()
        self.gate = gate
        server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let drop = [UInt8](repeating: 0x61, count: size / 400)
            var left = size
            var isSeen = false
            while !isSeen, left > drop.count {
                try connection.send(drop)
                left -= drop.count
                isSeen = gate.wait(atMost: .milliseconds(50))
            }
            if !isSeen { try gate.wait() }
            if isWhole { try connection.send([UInt8](repeating: 0x61, count: left)) }
        }
    }

    func url(_ path: String = "/") -> String {
        server.url(path)
    }

    /// Sends the rest, or closes the connection without it.
    func finish() {
        gate.open()
    }
}
