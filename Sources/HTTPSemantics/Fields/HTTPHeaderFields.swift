/// Header fields in their order; names ignore case, and may repeat.
///
/// Several values of one name read as one, joined as [RFC 9110
/// §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3) defines. ``fields`` keeps them separate,
/// which matters for `Set-Cookie`: its values contain commas.
public struct HTTPHeaderFields: Sendable, Hashable {
    /// A name as the caller or server spelled it, and its value.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public package(set) var value: String
        /// A key that is equal for all spellings of a name, and distinguishes most names.
        fileprivate let key: UInt32

        /// Takes a name and a value unchanged.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
            key = Self.key(of: name)
        }

        /// Whether both fields have the same bytes.
        public static func == (one: Field, other: Field) -> Bool {
            one.name.hasBytes(of: other.name) && one.value.hasBytes(of: other.value)
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(name))
            hasher.combine(ExactText(value))
        }

        /// Combines a name's length, first and last letter.
        fileprivate static func key(of name: String) -> UInt32 {
            let bytes = name.utf8
            let key = bytes.withContiguousStorageIfAvailable(Self.key)
            return key ?? ContiguousArray(bytes).withUnsafeBufferPointer(Self.key)
        }

        private static func key(of name: UnsafeBufferPointer<UInt8>) -> UInt32 {
            guard let first = name.first, let last = name.last else { return 0 }
            let ends = UInt32(first | 0x20) << 8 | UInt32(last | 0x20)
            return UInt32(truncatingIfNeeded: name.count) << 16 | ends
        }

        /// One bit of 64 for a key.
        fileprivate static func bit(of key: UInt32) -> UInt64 {
            1 << UInt64((key ^ key >> 8 ^ key >> 14) & 63)
        }
    }

    /// The fields in their order.
    public private(set) var fields: [Field] = []
    /// The bits of all names that were ever added: most look-ups are for a name that is missing.
    private var bits: UInt64 = 0

    /// Makes an empty list.
    public init() {}

    /// Takes the fields of a message, without joining them.
    package init(separate fields: [Field]) {
        self.fields = fields
        for field in fields { bits |= Field.bit(of: field.key) }
    }

    /// Takes the fields of a dictionary, in the order of their names.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// The value of a name in any case; a new value replaces all of them, and `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            // We use no chain of lazy sequences, since Swift needs 3 % of a small fetch to make their types.
            guard let first = index(of: name) else { return nil }
            var joined = fields[first].value
            var last = first
            while let next = index(of: name, from: last + 1) {
                joined += ", " + fields[next].value
                last = next
            }
            return joined
        }
        set {
            guard let first = index(of: name) else {
                if let newValue { append(Field(name: name, value: newValue)) }
                return
            }
            let spelling = fields[first].name
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.insert(Field(name: spelling, value: newValue), at: first) }
        }
    }

    /// The first value of a name.
    public func first(_ name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The length in `Content-Length` in bytes; `nil` if it is not a number without a sign ([RFC 9110
    /// §8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)).
    public var contentLength: Int64? {
        // Of several fields, the joined value is no number.
        guard let place = index(of: "Content-Length"),
            index(of: "Content-Length", from: place + 1) == nil
        else { return nil }
        return Int64(digits: fields[place].value)
    }

    /// Adds a value to the values of a name.
    public mutating func add(_ value: String, to name: String) {
        // A request has one Cookie field, which has its own separator (RFC 6265 §5.4).
        if Self.areSame(name, "Cookie"), let index = index(of: name) {
            fields[index].value += "; " + value
        } else {
            append(Field(name: name, value: value))
        }
    }

    private mutating func append(_ field: Field) {
        fields.append(field)
        bits |= Field.bit(of: field.key)
    }

    /// Whether two names are equal, in any case of their ASCII letters.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // We compare contiguous bytes, and copy neither text: each request needs some hundred such
        // comparisons.
        let isSame = one.utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { areSame(one, $0) } ?? false
        }
        return isSame
            ?? one.utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    private static func areSame(
        _ one: UnsafeBufferPointer<UInt8>,
        _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        for place in one.indices where one[place].asciiLowercased != other[place].asciiLowercased {
            return false
        }
        return true
    }

    /// The fields as a dictionary.
    public var dictionary: [String: String] {
        var dictionary: [String: String] = [:]
        for field in fields where dictionary[field.name] == nil {
            // We keep one spelling for each name: the first.
            let isFirst = index(of: field.name).map { fields[$0].name.hasBytes(of: field.name) }
            if isFirst == true { dictionary[field.name] = self[field.name] }
        }
        return dictionary
    }

    private func index(of name: String, from start: Int = 0) -> Int? {
        // Each request needs some hundred such comparisons; the key decides most of them.
        let key = Field.key(of: name)
        guard bits & Field.bit(of: key) != 0 else { return nil }
        return fields.withUnsafeBufferPointer { fields in
            var place = start
            while place < fields.count {
                if fields[place].key == key, Self.areSame(fields[place].name, name) {
                    return place
                }
                place += 1
            }
            return nil
        }
    }
}

extension HTTPHeaderFields {
    /// Whether the fields are equal, in order and spelling.
    public static func == (one: HTTPHeaderFields, other: HTTPHeaderFields) -> Bool {
        one.fields == other.fields
    }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields)
    }
}

// Offers a dictionary's interface, so that callers read fields like Foundation's `allHeaderFields`.
extension HTTPHeaderFields: Sequence {
    /// Iterates over unique names, in the order and the spelling of their first fields, with joined values.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: String)> {
        let first = fields.indices.filter { index(of: fields[$0].name) == $0 }
        return first.map { (key: fields[$0].name, value: self[fields[$0].name] ?? "") }
            .makeIterator()
    }

    /// The unique names.
    public var keys: [String] { map(\.key) }

    /// The joined values, in the order of ``keys``.
    public var values: [String] { map(\.value) }

    /// The number of different names.
    public var count: Int { keys.count }

    /// Whether there are no fields.
    public var isEmpty: Bool { fields.isEmpty }
}
