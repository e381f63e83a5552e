/// The request's fields that an answer was chosen by, and what they were
/// ([RFC 9111 §4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)).
struct VarySelection: Sendable, Hashable {
    /// A field, its name in lower case; without a value where the request had no such field.
    struct Field: Sendable, Hashable {
        let name: String
        let value: String?

        static func == (one: Field, other: Field) -> Bool {
            one.name.hasBytes(of: other.name)
                && one.value.map { ExactText($0) } == other.value.map { ExactText($0) }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(name))
            hasher.combine(value.map { ExactText($0) })
        }
    }

    /// In the order of their names.
    let fields: [Field]

    init(fields: [Field]) {
        self.fields = fields
    }

    /// What a request has for some names.
    init(_ names: [String], of request: HTTPHeaderFields) {
        fields = names.map { name in
            Field(name: name, value: request[name].map { Self.normalized($0, of: name) })
        }
    }

    /// Whether a request selects the same.
    func matches(_ request: HTTPHeaderFields) -> Bool {
        self == VarySelection(fields.map(\.name), of: request)
    }

    /// The names that `Vary` gives, in lower case, sorted, each once; `nil` where it is `*`, which
    /// matches no request.
    static func names(_ answer: HTTPHeaderFields) -> [String]? {
        guard let vary = answer["Vary"] else { return [] }
        let names = members(vary).map { $0.asciiLowercased }
        return names.contains("*") ? nil : Set(names).sorted()
    }

    /// A value as it is compared: without what means nothing.
    ///
    /// What may be a secret is kept as a digest, and that may be any field.
    private static func normalized(_ value: String, of name: String) -> String {
        switch name {
        case "accept", "accept-encoding", "accept-language", "accept-charset":
            // Neither case nor order matters: what is preferred is said by weights.
            members(value.asciiLowercased).map {
                ExactText($0.utf8.filter { $0 != 0x20 && $0 != 0x09 })
            }
            .sorted().map(\.text).joined(separator: ",")
        default: RequestCredential.digest(members(value).joined(separator: ", "))
        }
    }

    private static func members(_ list: String) -> [String] {
        list.split(byte: UInt8(ascii: ",")).map { HTTPSyntax.trimmed($0) }.filter { !$0.isEmpty }
            .map(String.init)
    }
}

extension VarySelection {
    /// Whether a request may select the same, once it has the fields that a session adds: those it
    /// has are the same.
    func mayMatch(_ request: HTTPHeaderFields) -> Bool {
        let own = fields.map(\.name).filter { request[$0] != nil }
        let stored = fields.filter { own.contains($0.name) }
        return VarySelection(own, of: request).fields == stored
    }
}
