import URLLoading

/// A cookie of a request or an answer, as HAR 1.2 describes it: its value is never told.
enum HARCookie {
    /// Those of a `Cookie` field ([RFC 6265 §4.2](https://www.rfc-editor.org/rfc/rfc6265#section-4.2)).
    static func sent(_ fields: HTTPHeaderFields) -> EventValue {
        let pairs = fields["Cookie"]?.split(byte: UInt8(ascii: ";")) ?? []
        return .list(pairs.map { object(name: name(of: $0), []) })
    }

    /// Those of the `Set-Cookie` fields, with their attributes
    /// ([RFC 6265 §4.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.1)).
    static func received(_ fields: HTTPHeaderFields) -> EventValue {
        let texts = fields.fields.filter { HTTPHeaderFields.areSame($0.name, "Set-Cookie") }
        return .list(
            texts.map { field in
                let parts = field.value.split(
                    byte: UInt8(ascii: ";"),
                    omittingEmptySubsequences: false
                )
                return object(
                    name: name(of: parts.first ?? ""),
                    parts.dropFirst().compactMap(attribute)
                )
            }
        )
    }

    private static func object(name: String, _ attributes: [EventMember]) -> EventValue {
        // A name stands once in an object; the last attribute counts.
        var members = [
            EventMember("name", .text(name)), EventMember("value", .plain(Redaction.placeholder)),
        ]
        for attribute in attributes {
            members.removeAll { $0.label == attribute.label }
            members.append(attribute)
        }
        return .object(members, summary: "")
    }

    private static func name(of pair: Substring) -> String {
        // Without a name, all of it is the value.
        guard let name = pair.split(atFirst: UInt8(ascii: "="))?.before else { return "" }
        return HeaderText.trimmed(name)
    }

    private static func attribute(_ part: Substring) -> EventMember? {
        let pair = part.split(atFirst: UInt8(ascii: "="))
        let value = pair.map { HeaderText.trimmed($0.after) } ?? ""
        switch HeaderText.trimmed(pair?.before ?? part).asciiLowercased {
        case "path": return EventMember("path", .text(value))
        case "domain": return EventMember("domain", .text(value))
        case "expires":
            guard let seconds = HTTPDate.seconds(value) else { return nil }
            let moment = EventMoment(
                wall: Int64(seconds).multiplied(clamping: 1_000_000),
                monotonic: 0
            )
            return EventMember("expires", .plain(moment.timestamp))
        case "httponly": return EventMember("httpOnly", .flag(true))
        case "secure": return EventMember("secure", .flag(true))
        default: return nil
        }
    }
}
