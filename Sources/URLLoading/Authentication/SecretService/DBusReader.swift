/// Reads values as D-Bus has them, and believes no length.
struct DBusReader {
    /// How deep types may be nested (the specification has 32 arrays and 32 structs).
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private(set) var index = 0

    /// - Parameters:
    ///   - bytes: what begins at a multiple of eight in its message.
    ///   - isBigEndian: as the message says.
    init(_ bytes: [UInt8], isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func align(_ alignment: Int) throws(DBusError) {
        let rest = index % alignment
        if rest > 0 { _ = try take(alignment - rest) }
    }

    private mutating func take(_ count: Int) throws(DBusError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - index else { throw .malformed }
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func byte() throws(DBusError) -> UInt8 {
        guard let byte = try take(1).first else { throw .malformed }
        return byte
    }

    mutating func uint32() throws(DBusError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(4))
    }

    mutating func uint64() throws(DBusError) -> UInt64 {
        try integer(8)
    }

    private mutating func integer(_ size: Int) throws(DBusError) -> UInt64 {
        try align(size)
        let taken = try take(size)
        let ordered = isBigEndian ? Array(taken) : taken.reversed()
        return ordered.reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func boolean() throws(DBusError) -> Bool {
        try uint32() != 0
    }

    /// A string or an object path.
    mutating func string() throws(DBusError) -> String {
        try text(Int(uint32()))
    }

    mutating func signature() throws(DBusError) -> String {
        try text(Int(byte()))
    }

    private mutating func text(_ count: Int) throws(DBusError) -> String {
        let taken = try take(count)
        guard try byte() == 0, let text = String(validating: taken, as: UTF8.self) else {
            throw .malformed
        }
        return text
    }

    /// An array, element by element.
    mutating func array<Element>(
        of alignment: Int,
        _ element: (inout DBusReader) throws(DBusError) -> Element
    ) throws(DBusError) -> [Element] {
        let count = Int(try uint32())
        try align(alignment)
        guard count <= bytes.count - index else { throw .malformed }
        let end = index + count
        var elements: [Element] = []
        while index < end {
            let start = index
            try align(alignment)
            elements.append(try element(&self))
            // An element of nothing would go on for ever.
            guard index > start else { throw .malformed }
        }
        guard index == end else { throw .malformed }
        return elements
    }

    mutating func byteArray() throws(DBusError) -> [UInt8] {
        Array(try take(Int(uint32())))
    }

    /// An array of object paths.
    mutating func paths() throws(DBusError) -> [String] {
        try array(of: 4) { reader throws(DBusError) in try reader.string() }
    }

    /// A dictionary of strings.
    mutating func dictionary() throws(DBusError) -> [String: String] {
        let pairs = try array(of: 8) { reader throws(DBusError) in
            (try reader.string(), try reader.string())
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// A variant of one type; what it holds is passed over where it is of another.
    mutating func variant<Value>(
        _ type: String,
        _ read: (inout DBusReader) throws(DBusError) -> Value
    ) throws(DBusError) -> Value? {
        let start = index
        if try signature() == type { return try read(&self) }
        index = start
        try skipVariant()
        return nil
    }

    /// Passes over a variant of any type.
    mutating func skipVariant(depth: Int = 0) throws(DBusError) {
        var type = Array(try signature().utf8)[...]
        try skip(&type, depth: depth)
        guard type.isEmpty else { throw .malformed }
    }

    /// Passes over a value of the first type of a signature.
    mutating func skip(
        _ signature: inout ArraySlice<UInt8>,
        depth: Int = 0
    ) throws(DBusError) {
        guard depth < Self.depthLimit, let type = signature.popFirst() else { throw .malformed }
        switch type {
        case UInt8(ascii: "y"): _ = try byte()
        case UInt8(ascii: "n"), UInt8(ascii: "q"): _ = try integer(2)
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"):
            _ = try integer(4)
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): _ = try integer(8)
        case UInt8(ascii: "s"), UInt8(ascii: "o"): _ = try string()
        case UInt8(ascii: "g"): _ = try self.signature()
        case UInt8(ascii: "v"): try skipVariant(depth: depth + 1)
        case UInt8(ascii: "a"):
            let element = try DBusSignature.takeType(&signature)
            _ = try array(of: DBusSignature.alignment(of: element)) { reader throws(DBusError) in
                var element = element
                try reader.skip(&element, depth: depth + 1)
            }
        case UInt8(ascii: "("), UInt8(ascii: "{"):
            try align(8)
            while let next = signature.first, !DBusSignature.isClosing(next) {
                try skip(&signature, depth: depth + 1)
            }
            guard signature.popFirst() != nil else { throw .malformed }
        default: throw .malformed
        }
    }
}
