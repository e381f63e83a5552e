/// A request to which the NTLM server or proxy has responded.
public struct NTLMLogEntry: ServerLogEntry, Equatable {
    /// Whether the proxy received it.
    public let isProxied: Bool
    /// The number of the connection: the same for requests on one connection.
    public let connection: Int
    /// The method.
    public let method: String
    /// The request target as sent.
    public let target: String
    /// The status of the response.
    public let status: Int
    /// The user; `nil` for none, and before the handshake's end.
    public let user: String?
    /// The scheme of the Authorization or Proxy-Authorization field, or `nil`.
    public let scheme: String?

    /// Parses a line of the log.
    public init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7, let connection = Int(fields[1]), let status = Int(fields[4]) else {
            return nil
        }
        isProxied = fields[0] == "Proxy"
        self.connection = connection
        method = String(fields[2])
        target = String(fields[3])
        self.status = status
        user = fields[5] == "-" ? nil : String(fields[5])
        scheme = fields[6] == "-" ? nil : String(fields[6])
    }
}
