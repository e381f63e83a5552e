/// The head of a hop's answer.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields

    /// The length that the answer's body is going to have, bytes; `nil` where that is not known
    /// ([RFC 9112 §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func bodyLength(_ method: String) -> Int64? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        guard fields["Transfer-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int64($0) }
    }
}
