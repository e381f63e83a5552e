/// A message on a bus
/// ([Message Format](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages)).
struct DBusMessage {
    enum Kind: UInt8 {
        case call = 1
        case reply = 2
        case error = 3
        case signal = 4
    }

    /// The most that is taken of one, bytes.
    static let sizeLimit = 4 << 20
    /// What comes before the fields, and their length.
    static let fixedSize = 16

    var kind: Kind
    var serial: UInt32 = 0
    /// The call that this answers.
    var replySerial: UInt32?
    var path: String?
    var interface: String?
    var member: String?
    var errorName: String?
    var destination: String?
    var sender: String?
    var signature = ""
    var body: [UInt8] = []
    var isBigEndian = false

    /// A method call.
    init(
        _ member: String,
        of interface: String,
        at path: String,
        to destination: String,
        signature: String = "",
        _ body: (inout DBusWriter) -> Void = { _ in }
    ) {
        kind = .call
        self.member = member
        self.interface = interface
        self.path = path
        self.destination = destination
        self.signature = signature
        var writer = DBusWriter()
        body(&writer)
        self.body = writer.bytes
    }

    /// The whole, as it is sent.
    var encoded: [UInt8] {
        var writer = DBusWriter()
        writer.raw([UInt8(ascii: "l"), kind.rawValue, 0, 1])
        writer.uint32(UInt32(body.count))
        writer.uint32(serial)
        writer.array(of: 8) { writer in
            let strings: [(UInt8, String, String?)] = [
                (1, "o", path), (2, "s", interface), (3, "s", member), (4, "s", errorName),
                (6, "s", destination), (7, "s", sender),
            ]
            for (code, type, value) in strings {
                guard let value else { continue }
                writer.align(8)
                writer.byte(code)
                writer.signature(type)
                writer.string(value)
            }
            if let replySerial {
                writer.align(8)
                writer.byte(5)
                writer.signature("u")
                writer.uint32(replySerial)
            }
            if !signature.isEmpty {
                writer.align(8)
                writer.byte(8)
                writer.signature("g")
                writer.signature(signature)
            }
        }
        writer.align(8)
        writer.raw(body)
        return writer.bytes
    }

    /// How long the whole is of which this is the beginning, ``fixedSize`` bytes.
    ///
    /// Throws `malformed` where it is no message, or too large for one.
    static func size(of head: [UInt8]) throws(DBusError) -> Int {
        var reader = try reader(of: head)
        _ = try reader.uint32()
        let bodySize = Int(try reader.uint32())
        _ = try reader.uint32()
        let fieldsSize = Int(try reader.uint32())
        guard bodySize <= sizeLimit, fieldsSize <= sizeLimit else { throw .malformed }
        return fixedSize + (fieldsSize + 7) / 8 * 8 + bodySize
    }

    private static func reader(of bytes: [UInt8]) throws(DBusError) -> DBusReader {
        switch bytes.first {
        case UInt8(ascii: "l"): DBusReader(bytes, isBigEndian: false)
        case UInt8(ascii: "B"): DBusReader(bytes, isBigEndian: true)
        default: throw .malformed
        }
    }

    /// Reads a whole message; `nil` where it is of a kind that nobody knows.
    init?(_ bytes: [UInt8]) throws(DBusError) {
        guard bytes.count >= Self.fixedSize else { throw .malformed }
        var reader = try Self.reader(of: bytes)
        isBigEndian = bytes[0] == UInt8(ascii: "B")
        // Endianness, kind, flags, version: bytes of their own.
        _ = try reader.uint32()
        guard bytes[3] == 1 else { throw .malformed }
        let bodySize = Int(try reader.uint32())
        serial = try reader.uint32()
        let known = Kind(rawValue: bytes[1])
        kind = known ?? .signal
        try readFields(&reader)
        try reader.align(8)
        guard bytes.count - reader.index == bodySize else { throw .malformed }
        body = Array(bytes[reader.index...])
        if known == nil { return nil }
    }

    private mutating func readFields(_ reader: inout DBusReader) throws(DBusError) {
        let fields = try reader.array(of: 8) { reader throws(DBusError) -> Field? in
            let code = try reader.byte()
            switch code {
            case 1:
                return try reader.variant("o") { reader throws(DBusError) in
                    Field.text(code, try reader.string())
                }
            case 2, 3, 4, 6, 7:
                return try reader.variant("s") { reader throws(DBusError) in
                    Field.text(code, try reader.string())
                }
            case 5:
                return try reader.variant("u") { reader throws(DBusError) in
                    Field.number(try reader.uint32())
                }
            case 8:
                return try reader.variant("g") { reader throws(DBusError) in
                    Field.text(code, try reader.signature())
                }
            default:
                try reader.skipVariant()
                return nil
            }
        }
        for field in fields {
            switch field {
            case .text(1, let text): path = text
            case .text(2, let text): interface = text
            case .text(3, let text): member = text
            case .text(4, let text): errorName = text
            case .text(6, let text): destination = text
            case .text(7, let text): sender = text
            case .text(8, let text): signature = text
            case .number(let number): replySerial = number
            case .text, nil: break
            }
        }
    }

    private enum Field {
        case text(UInt8, String)
        case number(UInt32)
    }

    /// A reader of the body, if that is of these types.
    func reader(of signature: String) throws(DBusError) -> DBusReader {
        guard self.signature == signature else { throw .malformed }
        return DBusReader(body, isBigEndian: isBigEndian)
    }
}
