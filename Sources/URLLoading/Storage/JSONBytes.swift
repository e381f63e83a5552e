import FoundationEssentials

/// Encodes values as JSON directly into bytes.
///
/// `JSONEncoder` first builds a tree of the values. With a journal of thousands of records a transfer
/// process spent a quarter of its time on that. The encoder writes members in the order of their
/// declaration, and `Data` in Base64, as `JSONDecoder` reads it.
struct JSONBytes {
    private let writer = Writer()

    /// Encodes a value, which must not use `superEncoder()`, on one line.
    func encode(_ value: some Encodable) throws -> [UInt8] {
        defer { writer.reset() }
        try writer.encode(value)
        return writer.bytes
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        try JSONBytes().encode(value)
    }
}

extension JSONBytes {
    /// The bytes so far, and the closing brackets of the open containers.
    ///
    /// A container is closed when a value of the enclosing container follows, or when the value that
    /// opened it ends.
    fileprivate final class Writer: Encoder {
        var bytes: [UInt8] = []
        private var closings: [UInt8] = []

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func encode<Value: Encodable>(_ value: Value) throws {
            // The comparison costs less than the cast.
            if Value.self == Data.self, let data = value as? Data {
                return write(data.base64EncodedString())
            }
            let depth = closings.count
            try value.encode(to: self)
            close(to: depth)
        }

        func reset() {
            bytes.removeAll(keepingCapacity: true)
            closings.removeAll(keepingCapacity: true)
        }

        func open(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar) -> Int {
            bytes.append(UInt8(ascii: opening))
            closings.append(UInt8(ascii: closing))
            return closings.count
        }

        func close(to depth: Int) {
            while closings.count > depth { bytes.append(closings.removeLast()) }
        }

        func write(word: StaticString) {
            word.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }

        func write(number: some FixedWidthInteger) {
            bytes.append(contentsOf: String(number).utf8)
        }

        func write(_ text: String) {
            bytes.append(UInt8(ascii: "\""))
            var text = text
            text.withUTF8 { utf8 in
                // A plain loop over a pointer: in a debug build an iterator takes ten times as long.
                guard let first = utf8.baseAddress else { return }
                var start = 0
                var place = 0
                while place < utf8.count {
                    let byte = first[place]
                    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                        bytes.append(contentsOf: utf8[start..<place])
                        start = place + 1
                        escape(byte)
                    }
                    place += 1
                }
                bytes.append(contentsOf: utf8[start...])
            }
            bytes.append(UInt8(ascii: "\""))
        }

        private func escape(_ byte: UInt8) {
            bytes.append(UInt8(ascii: "\\"))
            guard byte < 0x20 else { return bytes.append(byte) }
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: "u00\(byte < 0x10 ? "0" : "")\(digits)".utf8)
        }

        func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Members(writer: self, depth: open("{", "}")))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            Elements(writer: self, depth: open("[", "]"))
        }

        func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: self) }
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let writer: Writer
        let depth: Int

        var codingPath: [any CodingKey] { [] }

        private func name(_ key: Key) {
            writer.close(to: depth)
            if writer.bytes.last != UInt8(ascii: "{") { writer.bytes.append(UInt8(ascii: ",")) }
            writer.write(key.stringValue)
            writer.bytes.append(UInt8(ascii: ":"))
        }

        mutating func encodeNil(forKey key: Key) {
            name(key)
            writer.write(word: "null")
        }

        // The types of most members: the generic method costs several times as much.
        mutating func encode(_ value: String, forKey key: Key) {
            name(key)
            writer.write(value)
        }

        mutating func encode(_ value: Int, forKey key: Key) {
            name(key)
            writer.write(number: value)
        }

        mutating func encode(_ value: Int64, forKey key: Key) {
            name(key)
            writer.write(number: value)
        }

        mutating func encode(_ value: Bool, forKey key: Key) {
            name(key)
            writer.write(word: value ? "true" : "false")
        }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            name(key)
            try writer.encode(value)
        }

        mutating func nestedContainer<Nested>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            name(key)
            return writer.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            name(key)
            return writer.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { writer }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            name(key)
            return writer
        }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let writer: Writer
        let depth: Int
        private(set) var count = 0

        var codingPath: [any CodingKey] { [] }

        private mutating func separate() {
            writer.close(to: depth)
            if count > 0 { writer.bytes.append(UInt8(ascii: ",")) }
            count += 1
        }

        mutating func encodeNil() {
            separate()
            writer.write(word: "null")
        }

        mutating func encode(_ value: String) {
            separate()
            writer.write(value)
        }

        mutating func encode(_ value: some Encodable) throws {
            separate()
            try writer.encode(value)
        }

        mutating func nestedContainer<Nested>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            separate()
            return writer.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            separate()
            return writer.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            separate()
            return writer
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let writer: Writer

        var codingPath: [any CodingKey] { [] }

        func encodeNil() { writer.write(word: "null") }
        func encode(_ value: Bool) { writer.write(word: value ? "true" : "false") }
        func encode(_ value: String) { writer.write(value) }
        func encode(_ value: Double) throws { try write(value, value.description) }
        func encode(_ value: Float) throws { try write(Double(value), value.description) }
        func encode(_ value: Int) { writer.write(number: value) }
        func encode(_ value: Int8) { writer.write(number: value) }
        func encode(_ value: Int16) { writer.write(number: value) }
        func encode(_ value: Int32) { writer.write(number: value) }
        func encode(_ value: Int64) { writer.write(number: value) }
        func encode(_ value: UInt) { writer.write(number: value) }
        func encode(_ value: UInt8) { writer.write(number: value) }
        func encode(_ value: UInt16) { writer.write(number: value) }
        func encode(_ value: UInt32) { writer.write(number: value) }
        func encode(_ value: UInt64) { writer.write(number: value) }
        func encode(_ value: some Encodable) throws { try writer.encode(value) }

        private func write(_ value: Double, _ text: String) throws {
            guard value.isFinite else {
                let words = "JSON has no infinite or undefined number"
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(codingPath: [], debugDescription: words)
                )
            }
            writer.bytes.append(contentsOf: text.utf8)
        }
    }
}
