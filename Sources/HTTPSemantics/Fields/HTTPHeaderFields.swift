/// Header fields: names without case, in their order; a name may occur more than once.
///
/// Several values of one name read as one, joined as [RFC 9110
/// §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3) says. Each is separate in ``fields``,
/// which matters for `Set-Cookie`: its values have commas of their own.
public struct HTTPHeaderFields: Sendable, Hashable {
    /// A name as the caller or server spelled it, and its value.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public package(set) var value: String
        /// The same for all spellings of a name; most names it tells apart.
        fileprivate let key: UInt32

        /// Takes a name and a value as they are.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
            key = Self.key(of: name)
        }

        /// A name's length, first and last letter.
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
    }

    /// The fields in their order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Fields as a message has them, each for itself.
    package init(separate fields: [Field]) {
        self.fields = fields
    }

    /// The fields of a dictionary, by name.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// The value of a name in any case; setting replaces all of them, `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            // Not a chain of lazy sequences: making their types takes 3 % of a small fetch.
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
                if let newValue { fields.append(Field(name: name, value: newValue)) }
                return
            }
            let spelling = fields[first].name
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.insert(Field(name: spelling, value: newValue), at: first) }
        }
    }

    /// The first of the values of a name.
    public func first(_ name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The length that `Content-Length` gives, bytes; `nil` where it is no number, which has no sign
    /// ([RFC 9110 §8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)).
    public var contentLength: Int64? {
        guard let text = self["Content-Length"],
            text.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return Int64(text)
    }

    /// Adds a value to those that the name has.
    public mutating func add(_ value: String, to name: String) {
        // A request has one Cookie field, with a separator of its own (RFC 6265 §5.4).
        if Self.areSame(name, "Cookie"), let index = index(of: name) {
            fields[index].value += "; " + value
        } else {
            fields.append(Field(name: name, value: value))
        }
    }

    /// Whether two names are the same but for the case of their ASCII letters.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // Bytes in a row, and no copy of either text: there are some hundred such comparisons to a
        // request.
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
            // One spelling for each name: the first.
            let isFirst = index(of: field.name).map { fields[$0].name == field.name } ?? false
            if isFirst { dictionary[field.name] = self[field.name] }
        }
        return dictionary
    }

    private func index(of name: String, from start: Int = 0) -> Int? {
        // There are some hundred such comparisons to a request: most end with the key.
        let key = Field.key(of: name)
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

// What a dictionary has, so that fields are read as Foundation's `allHeaderFields` are.
extension HTTPHeaderFields: Sequence {
    /// Each name once, in the order and the spelling of its first field, with its joined value.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: String)> {
        let first = fields.indices.filter { index(of: fields[$0].name) == $0 }
        return first.map { (key: fields[$0].name, value: self[fields[$0].name] ?? "") }
            .makeIterator()
    }

    /// The names, each once.
    public var keys: [String] { map(\.key) }

    /// The joined values, in the order of ``keys``.
    public var values: [String] { map(\.value) }

    /// The number of different names.
    public var count: Int { keys.count }

    /// Whether there are no fields.
    public var isEmpty: Bool { fields.isEmpty }
}
