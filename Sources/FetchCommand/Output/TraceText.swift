import URLLoading

/// The trace of a task, in curl's form: `* ` for libcurl's words, `> ` for heads that leave, `< `
/// for heads that come.
enum TraceText {
    /// How those of libcurl's words begin, behind spaces, that are shown.
    ///
    /// Others are omitted: they repeat these, or header fields, credentials among them.
    private static let shown = [
        "Trying ", "Connected to ", "Connection #", "Re-using existing ", "Host ",
        "Could not resolve ", "connect to ", "Immediate connect fail", "Failed to connect",
        "Name '", "ALPN", "SSL connection using ", "Server certificate:", "subject:",
        "start date:", "expire date:", "subjectAltName:", "issuer:", "SSL certificate ", "SSL: ",
        "OpenSSL ", "TLS ",
        "Establish HTTP proxy tunnel", "CONNECT ", "Proxy replied", "Proxy CONNECT",
        "SOCKS", "Using HTTP", "using HTTP", "Closing connection", "Recv failure",
        "Send failure", "Empty reply", "Operation ", "Mark bundle", "transfer closed",
    ]

    /// The lines; none where there is nothing to show.
    static func lines(_ trace: URLSessionTaskTrace) -> [String] {
        let lines = trace.bytes.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).map { line in
            String(
                decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line,
                as: UTF8.self
            )
        }
        // A piece ends with the end of its last line.
        let whole = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        switch trace.kind {
        case .note:
            return whole.filter { line in
                let words = line.utf8.drop { $0 == 0x20 }
                return shown.contains { words.starts(with: $0.utf8) }
            }.map { "* " + Printable.text(UserInfo.redacted(in: $0)) }
        case .sent: return whole.map { "> " + header($0) }
        case .received: return whole.map { "< " + header($0) }
        }
    }

    /// A line of a head, without what is secret.
    private static func header(_ line: String) -> String {
        // A continuation line may continue a credential.
        if let first = line.utf8.first, first == 0x20 || first == 0x09 {
            return Redaction.placeholder
        }
        guard let (name, _) = line[...].split(atFirst: UInt8(ascii: ":")),
            Redaction.isSecret(header: String(name))
        else { return Printable.text(UserInfo.redacted(in: line)) }
        return "\(Printable.text(String(name))): \(Redaction.placeholder)"
    }
}

/// The head of a response as text.
enum HeadText {
    /// Status line and fields as HTTP has them, with an empty line at the end.
    static func lines(_ response: HTTPURLResponse) -> String {
        var lines = [statusLine(response)]
        lines += response.headerFields.fields.map { "\($0.name): \($0.value)" }
        return lines.map { Printable.text($0) + "\r\n" }.joined() + "\r\n"
    }

    /// `HTTP/1.1 200 OK`.
    static func statusLine(_ response: HTTPURLResponse) -> String {
        let reason = response.reasonPhrase.isEmpty ? "" : " \(response.reasonPhrase)"
        return "\(response.httpVersion) \(response.statusCode)\(reason)"
    }

    /// `404 Not Found`, in the server's words or the registry's.
    static func status(_ code: Int) -> String {
        "\(code) \(HTTPURLResponse.localizedString(forStatusCode: code))"
    }
}
