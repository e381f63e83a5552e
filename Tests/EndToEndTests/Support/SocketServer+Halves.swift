import TestSupport

extension SocketServer {
    /// A server of a body `ab`, of which the second byte comes once a gate is open.
    ///
    /// - Parameters:
    ///   - gate: opened for each request.
    ///   - fields: more of the head, each as `Name: value`.
    /// - Returns: the server.
    /// - Throws: what the listener does.
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
