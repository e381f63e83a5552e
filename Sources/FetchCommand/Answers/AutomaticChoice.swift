import URLLoading

/// `--auto`: whether a body is one to be looked at, or one to be kept.
enum AutomaticChoice {
    /// A person reads no more than this at a terminal, bytes.
    static let longest: Int64 = 1 << 20

    /// Whether the body of an answer becomes a file.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - isTerminal: whether standard output is one; what is none can take everything.
    /// - Returns: `false`: it goes to standard output.
    static func isFile(_ response: URLResponse, isTerminal: Bool) -> Bool {
        guard isTerminal else { return false }
        guard isText(response.mimeType ?? MediaTypePattern.untyped) else { return true }
        return response.expectedContentLength > longest
    }

    /// Whether bodies of a media type can be read as they are; it must be in lower case.
    static func isText(_ type: String) -> Bool {
        let parts = type.split(byte: UInt8(ascii: "/"))
        guard parts.count == 2 else { return false }
        if parts[0] == "text" { return true }
        if ["+json", "+xml", "+yaml"].contains(where: { parts[1].endsWithBytes(of: $0) }) {
            return true
        }
        guard parts[0] == "application" else { return false }
        return [
            "json", "x-ndjson", "json-seq", "xml", "javascript", "x-javascript", "ecmascript",
            "yaml", "x-yaml", "toml", "graphql", "sql", "x-sh", "x-www-form-urlencoded",
        ].contains(String(parts[1]))
    }
}
