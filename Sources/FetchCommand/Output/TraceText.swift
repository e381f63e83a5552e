import FoundationEssentials
import URLLoading

/// The trace of a task in curl's form: `* ` messages, `> ` sent heads, `< ` received heads.
enum TraceText {
    /// Prefixes, after spaces, of those libcurl messages that are shown.
    ///
    /// Other messages are omitted: they repeat these or header fields, including credentials.
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

    /// The lines of a trace; empty if there is nothing to show.
    static func lines(_ trace: URLSessionTaskTrace) -> [String] {
        if trace.kind == .note { return note(trace.bytes) }
        let lines = HeadText.lines(of: trace.bytes)
        // A piece ends with a line end, so the last element is empty.
        let whole = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        let mark = trace.kind == .sent ? "> " : "< "
        return whole.map { mark + header($0) }
    }

    /// A message of libcurl, on one line: a certificate's text in it may contain line ends.
    private static func note(_ bytes: Data) -> [String] {
        let message = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
        let line = String(decoding: message, as: UTF8.self)
        let words = line.utf8.drop { $0 == 0x20 }
        guard shown.contains(where: { words.starts(with: $0.utf8) }) else { return [] }
        return ["* " + Printable.text(UserInfo.redacted(in: line))]
    }

    /// A line of a head, with secrets redacted.
    private static func header(_ line: String) -> String {
        // A continuation line may be part of a credential.
        if let first = line.utf8.first, first == 0x20 || first == 0x09 {
            return Redaction.placeholder
        }
        guard let (name, _) = line[...].split(atFirst: UInt8(ascii: ":")),
            Redaction.isSecret(header: String(name))
        else { return Printable.text(UserInfo.redacted(in: line)) }
        return "\(Printable.text(String(name))): \(Redaction.placeholder)"
    }
}

enum HeadText {
    /// The lines of received or sent bytes, without their line ends.
    static func lines(of bytes: Data) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
    }

    /// The status line and fields as HTTP/1 writes them, with an empty line at the end.
    static func lines(_ response: HTTPURLResponse) -> String {
        var lines = [statusLine(response)]
        lines += response.headerFields.fields.map { "\($0.name): \($0.value)" }
        return lines.map { Printable.text($0) + "\r\n" }.joined() + "\r\n"
    }

    /// The status line: `HTTP/1.1 200 OK`.
    static func statusLine(_ response: HTTPURLResponse) -> String {
        let reason = response.reasonPhrase.isEmpty ? "" : " \(response.reasonPhrase)"
        return "\(response.httpVersion) \(response.statusCode)\(reason)"
    }

    /// A status code with its standard reason: `404 Not Found`.
    static func status(_ code: Int) -> String {
        "\(code) \(HTTPURLResponse.localizedString(forStatusCode: code))"
    }
}
