/// A request in nginx's log, which nginx writes after the response.
public struct AccessLogEntry: ServerLogEntry, Equatable {
    /// The method.
    public let method: String
    /// The request target as sent: path and query.
    public let target: String
    /// The status of the response; 499 when the client closed before the end.
    public let status: Int
    /// `HTTP/1.1` or `HTTP/2.0`.
    public let version: String
    /// Bytes sent to the client, headers included.
    public let bytesSent: Int
    /// Bytes received from the client: request line, headers and body.
    public let requestLength: Int
    /// The User-Agent field, or `-`.
    public let userAgent: String
    /// The Range field, or `-`.
    public let range: String
    /// The If-Range field, or `-`.
    public let ifRange: String
    /// nginx's number of the connection: the same for requests on one connection.
    public let connection: Int
    /// `TLSv1.2`, `TLSv1.3`, or `-`.
    public let tlsVersion: String

    /// The fields in the order of `init(line:)`, separated by tabs.
    static let format = [
        "$request_method", "$request_uri", "$status", "$server_protocol", "$bytes_sent",
        "$request_length", "$http_user_agent", "$http_range", "$http_if_range", "$connection",
        "$ssl_protocol",
    ].joined(separator: "\t")

    /// Parses a line; `nil` for an incomplete line.
    public init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "-" : String($0)
        }
        guard fields.count == 11, let status = Int(fields[2]), let bytesSent = Int(fields[4]),
            let requestLength = Int(fields[5]), let connection = Int(fields[9])
        else { return nil }
        method = fields[0]
        target = fields[1]
        self.status = status
        version = fields[3]
        self.bytesSent = bytesSent
        self.requestLength = requestLength
        userAgent = fields[6]
        range = fields[7]
        ifRange = fields[8]
        self.connection = connection
        tlsVersion = fields[10]
    }
}
