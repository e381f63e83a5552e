/// A request in Apache's log, which Apache writes after the response.
public struct ApacheLogEntry: ServerLogEntry, Equatable {
    /// The port that received the request.
    public let port: Int
    /// The method.
    public let method: String
    /// The request target as sent: path and query.
    public let target: String
    /// The status of the response.
    public let status: Int
    /// The user that logged in; `nil` for none.
    ///
    /// The log also names a user whose password was wrong: check the status.
    public let user: String?
    /// The Authorization field, or `nil`.
    ///
    /// Bytes that are not printable ASCII, and quotes, are written with a backslash.
    public let authorization: String?
    /// The Proxy-Authorization field, which no origin server should receive, or `nil`.
    public let proxyAuthorization: String?
    /// Bytes received from the client: request line, headers and body.
    public let bytesReceived: Int
    /// The client's port: the same for requests that shared a connection.
    public let clientPort: Int

    /// The fields in the order of `init(line:)`, separated by tabs.
    static let format = [
        "%{local}p", "%m", "%U%<q", "%>s", "%<u", "%{Authorization}i", "%{Proxy-Authorization}i",
        "%I", "%{remote}p",
    ].joined(separator: "\\t")

    /// Parses a line of the access log.
    public init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        func optional(_ index: Int) -> String? {
            fields[index] == "-" ? nil : String(fields[index])
        }
        guard fields.count == 9, let port = Int(fields[0]), let status = Int(fields[3]),
            let bytesReceived = Int(fields[7]), let clientPort = Int(fields[8])
        else { return nil }
        self.port = port
        method = String(fields[1])
        target = String(fields[2])
        self.status = status
        user = optional(4)
        authorization = optional(5)
        proxyAuthorization = optional(6)
        self.bytesReceived = bytesReceived
        self.clientPort = clientPort
    }
}
