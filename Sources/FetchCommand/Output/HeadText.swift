import URLLoading

/// The head of an answer as text.
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
