import TestSupport

/// A server that sends a body drop by drop until the test has seen enough.
struct DrippingServer {
    let server: SocketServer
    private let gate: Gate

    /// Starts it, with a body of so many bytes, which would last for 20 s.
    ///
    /// - Parameters:
    ///   - size: what its head announces.
    ///   - isWhole: whether the rest comes at the end, and not the end of the connection.
    /// - Throws: what the listener does.
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

    /// Sends the rest, or ends the connection without it.
    func finish() {
        gate.open()
    }
}
