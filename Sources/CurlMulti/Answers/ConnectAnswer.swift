/// What a proxy answers to CONNECT, out of the lines that libcurl hands over before the request.
///
/// There may be several answers in a row, where libcurl proves to the proxy who we are: the last
/// one counts.
struct ConnectAnswer {
    /// The head of an answer that opens no tunnel.
    private(set) var refusal: ResponseHead?
    private var parser = ResponseHeadParser(isConnectAnswer: true)

    /// Takes one line with its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> ResponseHeadParser.Line {
        if line.starts(with: "HTTP/".utf8) { refusal = nil }
        let result = parser.take(line)
        // A 2xx has neither a length nor a body, whatever its fields say (RFC 9110 §9.3.6).
        if case .head(let head) = result, !(200..<300).contains(head.status) { refusal = head }
        return result
    }
}
