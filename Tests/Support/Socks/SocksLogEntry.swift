/// A connection in microsocks' log.
public struct SocksLogEntry: ServerLogEntry, Equatable {
    /// The requested host: a name, or an address where the client resolved the name itself.
    public let host: String
    /// The requested port.
    public let port: Int

    /// Parses a line of its output: `client[4] 127.0.0.1: connected to localhost:80`.
    public init?(line: Substring) {
        guard let target = line.split(separator: ": connected to ").dropFirst().first,
            let colon = target.lastIndex(of: ":"),
            let port = Int(target[target.index(after: colon)...])
        else { return nil }
        host = String(target[..<colon])
        self.port = port
    }
}
