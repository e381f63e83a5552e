/// Header fields: names without case, in the order they were set, one value for each name.
///
/// Several values of one name stand in one, separated as
/// [RFC 9110 §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3) says.
public struct HTTPHeaderFields: Sendable, Hashable {
    /// A name as it was first spelled, and its value.
    public struct Field: Sendable, Hashable {
        /// The name, in the spelling of whoever set it.
        public let name: String
        /// The value.
        public internal(set) var value: String
    }

    /// The fields in their order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The fields of a dictionary, by name.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// The value of a name in any case; setting `nil` removes it.
    public subscript(name: String) -> String? {
        get { index(of: name).map { fields[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a value to those that the name has.
    public mutating func add(_ value: String, to name: String) {
        guard let index = index(of: name) else {
            fields.append(Field(name: name, value: value))
            return
        }
        // Cookies are the one list that has its own separator (RFC 6265 §4.2.1).
        let separator = Self.areSame(name, "Cookie") ? "; " : ", "
        fields[index].value += separator + value
    }

    /// Whether two names are the same but for the case of their ASCII letters.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    /// The fields as a dictionary.
    public var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { Self.areSame($0.name, name) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
