import TestSupport

extension SocketServer {
    /// A server of a body `ab`, whose second byte is sent when a gate is open.
    ///
    /// - Parameters:
    ///   - gate: Must be opened for each request.
    ///   - fields: More header fields, as `Name: value`.
    /// - Returns: The server.
    /// - Throws: The errors of the listener.
    static func halves(_ gate: Gate, _ fields: String...) throws -> SocketServer {
        let head = ["HTTP/1.1 200 OK"] + fields + ["Content-Length: 2"]
        return try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(head.map { $0 + "\r\n" }.joined() + "\r\na")
            try gate.wait()
            try connection.send("b")
        }
    }
}
