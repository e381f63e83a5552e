/// Asking whether what is stored still holds
/// ([RFC 9111 §4.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.3)).
enum CacheValidation {
    /// Whether an answer has what it takes.
    static func isPossible(_ answer: StoredAnswer) -> Bool { !conditions(answer).isEmpty }

    /// The fields that make a request conditional; none where the answer has no validator.
    ///
    /// Both, since a server that knows entity tags ignores the date (RFC 9110 §13.1.3).
    static func conditions(_ answer: StoredAnswer) -> [HTTPHeaderFields.Field] {
        var conditions: [HTTPHeaderFields.Field] = []
        if let tag = answer.fields.first("ETag"), !tag.isEmpty {
            conditions.append(HTTPHeaderFields.Field(name: "If-None-Match", value: tag))
        }
        if let date = answer.fields.first("Last-Modified"), HTTPDate.seconds(date) != nil {
            conditions.append(HTTPHeaderFields.Field(name: "If-Modified-Since", value: date))
        }
        return conditions
    }

    /// Whether a 304 is about what is stored (§4.3.4): a strong tag of another entity says that it
    /// is not.
    static func confirms(_ confirmation: HTTPHeaderFields, _ answer: StoredAnswer) -> Bool {
        guard let tag = confirmation.first("ETag") else { return true }
        guard let own = answer.fields.first("ETag") else { return true }
        return weak(tag).hasBytes(of: weak(own))
    }

    /// Whether the answer to a HEAD is about what is stored (§4.3.5).
    static func describes(
        _ head: HTTPHeaderFields,
        _ answer: StoredAnswer,
        length: Int64
    ) -> Bool {
        for name in ["ETag", "Last-Modified"] {
            if let value = head.first(name), answer.fields.first(name)?.hasBytes(of: value) != true
            {
                return false
            }
        }
        return head.first("Content-Length").flatMap { Int64($0) }.map { $0 == length } ?? true
    }

    /// A tag without the mark of weakness: what two must have in common (RFC 9110 §8.8.3.2).
    private static func weak(_ tag: String) -> Substring {
        tag.droppingBytes(of: "W/") ?? tag[...]
    }
}
