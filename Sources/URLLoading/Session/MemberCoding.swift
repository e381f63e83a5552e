/// Reads or writes the members of a value by their names.
///
/// One list of names serves both directions. We do not write a member with its default value.
struct MemberCoding<Value> {
    private enum Direction {
        case read(KeyedDecodingContainer<Name>)
        case write(KeyedEncodingContainer<Name>)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private(set) var value: Value
    private let defaults: Value
    private var direction: Direction

    init(reading decoder: any Decoder, onto defaults: Value) throws {
        value = defaults
        self.defaults = defaults
        direction = .read(try decoder.container(keyedBy: Name.self))
    }

    init(writing value: Value, beyond defaults: Value, to encoder: any Encoder) {
        self.value = value
        self.defaults = defaults
        direction = .write(encoder.container(keyedBy: Name.self))
    }

    /// Reads or writes one member; throws where the stored value is invalid for this version.
    mutating func member<Member: Codable & Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Value, Member>
    ) throws {
        if case .write = direction, value[keyPath: path] == defaults[keyPath: path] { return }
        try always(name, path)
    }

    /// Reads or writes one member, even with its default value.
    mutating func always<Member: Codable>(
        _ name: String,
        _ path: WritableKeyPath<Value, Member>
    ) throws {
        let name = Name(stringValue: name)
        switch direction {
        case .read(let container):
            guard let member = try container.decodeIfPresent(Member.self, forKey: name) else {
                return
            }
            value[keyPath: path] = member
        case .write(var container):
            try container.encode(value[keyPath: path], forKey: name)
            direction = .write(container)
        }
    }
}
