/// Which fields of an answer are stored, updated and served.
enum StoredFields {
    /// Those of the connection and not of the answer
    /// ([RFC 9111 §3.1](https://www.rfc-editor.org/rfc/rfc9111#section-3.1)), and `Set-Cookie`:
    /// an old cookie brought back from the cache would undo what came after it.
    private static let unstored = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
    /// Those that speak of the body that is stored, and not of the 304 that confirms it
    /// ([RFC 9111 §3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2)).
    private static let bodys = ["content-encoding", "content-length", "content-range"]

    /// The fields that may be stored.
    static func storable(_ fields: HTTPHeaderFields) -> HTTPHeaderFields {
        var dropped = Set(unstored)
        for name in members(fields["Connection"]) { dropped.insert(name) }
        return without(dropped, fields)
    }

    /// Stored fields, brought up to date by an answer that confirms them.
    static func updated(
        _ stored: HTTPHeaderFields,
        by confirmation: HTTPHeaderFields
    ) -> HTTPHeaderFields {
        var updated = stored
        let new = without(Set(bodys), storable(confirmation))
        for field in new.fields { updated[field.name] = nil }
        for field in new.fields { updated.add(field.value, to: field.name) }
        return updated
    }

    /// Fields without those of some names, which are in lower case.
    static func without(_ names: Set<String>, _ fields: HTTPHeaderFields) -> HTTPHeaderFields {
        var kept = HTTPHeaderFields()
        for field in fields.fields where !names.contains(field.name.asciiLowercased) {
            kept.add(field.value, to: field.name)
        }
        return kept
    }

    /// The members of a list of names, in lower case.
    static func members(_ list: String?) -> [String] {
        (list ?? "").split(byte: UInt8(ascii: ",")).map { HTTPSyntax.trimmed($0).asciiLowercased }
    }
}
