/// The request fields that select a stored response, with their values ([RFC 9111
/// §4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)).
public struct VarySelection: Sendable, Hashable {
    /// A field, its name in lower case; without a value if the request had no such field.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value in its form for comparison; a digest if it may be a secret.
        public let value: String?

        /// Takes a name in lower case, and a value in its form for comparison.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }

        /// Whether both fields have the same bytes.
        public static func == (one: Field, other: Field) -> Bool {
            one.name.hasBytes(of: other.name)
                && one.value.map { ExactText($0) } == other.value.map { ExactText($0) }
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(name))
            hasher.combine(value.map { ExactText($0) })
        }
    }

    /// The fields in the order of their names.
    public let fields: [Field]

    /// Takes fields that the cache has read from its storage.
    public init(fields: [Field]) {
        self.fields = fields
    }

    /// Takes the values of a request for some names.
    ///
    /// - Parameters:
    ///   - names: the names in lower case, as ``names(_:)`` returns them.
    ///   - request: the request's fields.
    ///   - digest: makes a digest of a value that may be a secret; equal bytes have equal digests.
    public init(_ names: [String], of request: HTTPHeaderFields, digest: (String) -> String) {
        fields = names.map { name in
            Field(name: name, value: request[name].map { Self.normalized($0, of: name, digest) })
        }
    }

    /// Whether a request selects the same response.
    public func matches(_ request: HTTPHeaderFields, digest: (String) -> String) -> Bool {
        self == VarySelection(fields.map(\.name), of: request, digest: digest)
    }

    /// The names in `Vary`, in lower case, sorted and unique.
    ///
    /// `nil` if they include `*`, which matches no request.
    public static func names(_ storedHead: HTTPHeaderFields) -> [String]? {
        guard let vary = storedHead["Vary"] else { return [] }
        let names = members(vary).map { $0.asciiLowercased }
        return names.contains("*") ? nil : Set(names).sorted()
    }

    /// Converts a value to the form for comparison: mostly a digest, since any field may contain a secret.
    private static func normalized(
        _ value: String,
        of name: String,
        _ digest: (String) -> String
    ) -> String {
        switch name {
        case "accept", "accept-encoding", "accept-charset":
            // Case and order do not matter, since weights express the preference.
            preferences(value).sorted().map(\.text).joined(separator: ",")
        case "accept-language":
            // To some servers the order is the preference (RFC 9110 §12.5.4).
            preferences(value).map(\.text).joined(separator: ",")
        case "authorization", "cookie", "user-agent": digest(value)
        default: digest(members(value).joined(separator: ", "))
        }
    }

    private static func preferences(_ value: String) -> [ExactText] {
        members(value.asciiLowercased).map {
            ExactText($0.utf8.filter { $0 != 0x20 && $0 != 0x09 })
        }
    }

    private static func members(_ list: String) -> [String] {
        list.split(byte: UInt8(ascii: ",")).map { HTTPSyntax.trimmed($0) }.filter { !$0.isEmpty }
            .map(String.init)
    }

    /// Whether a request may match after a session has added more fields: its present fields match.
    public func mayMatch(_ request: HTTPHeaderFields, digest: (String) -> String) -> Bool {
        let own = fields.map(\.name).filter { request[$0] != nil }
        let stored = fields.filter { own.contains($0.name) }
        return VarySelection(own, of: request, digest: digest).fields == stored
    }
}
