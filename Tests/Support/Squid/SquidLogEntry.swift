/// A request in squid's log, which squid writes after the response.
public struct SquidLogEntry: ServerLogEntry, Equatable {
    /// The port of squid that received the request, which identifies the `Listener`.
    public let port: Int
    /// The method.
    public let method: String
    /// The requested URL; for `CONNECT` only host and port.
    public let target: String
    /// The status of squid's response.
    public let status: Int
    /// The user that logged in; `nil` for none.
    ///
    /// The log also names a user whose password was wrong: check the status.
    public let user: String?
    /// The Proxy-Authorization field with `%` escapes, or `nil`.
    public let proxyAuthorization: String?
    /// The Authorization field with `%` escapes, or `nil`.
    ///
    /// `CONNECT` should never have it.
    public let authorization: String?

    /// The fields in the order of `init(line:)`, separated by tabs.
    static let format = [
        "%>lp", "%rm", "%ru", "%>Hs", "%un", "%{Proxy-Authorization}>h", "%{Authorization}>h",
    ].joined(separator: "\t")

    /// Parses a line of the access log.
    public init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        func optional(_ index: Int) -> String? {
            fields[index] == "-" ? nil : String(fields[index])
        }
        guard fields.count == 7, let port = Int(fields[0]), let status = Int(fields[3]) else {
            return nil
        }
        self.port = port
        method = String(fields[1])
        target = String(fields[2])
        self.status = status
        user = optional(4)
        proxyAuthorization = optional(5)
        authorization = optional(6)
    }
}
