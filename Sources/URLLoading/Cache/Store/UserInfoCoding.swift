import FoundationEssentials

/// What of a program's own dictionary goes to disk: texts, whole numbers, fractions, `Bool`, `Data`.
enum UserInfoCoding {
    static func write(_ userInfo: [String: any Sendable]?, to writer: inout ByteWriter) {
        let members = (userInfo ?? [:]).sorted { $0.key < $1.key }.compactMap { name, value in
            encoded(value).map { (name, $0) }
        }
        writer.put(UInt32(members.count))
        for (name, value) in members {
            writer.put(name)
            writer.put(value)
        }
    }

    static func read(_ reader: inout ByteReader) -> [String: any Sendable]? {
        let members = reader.list { ($0.text(), $0.raw()) }
        guard !members.isEmpty else { return nil }
        var userInfo: [String: any Sendable] = [:]
        for (name, bytes) in members { userInfo[name] = decoded(bytes) }
        return userInfo
    }

    private static func encoded(_ value: any Sendable) -> [UInt8]? {
        var writer = ByteWriter()
        switch value {
        case let text as String:
            writer.put(UInt8(ascii: "s"))
            writer.put(text)
        case let flag as Bool:
            writer.put(UInt8(ascii: "b"))
            writer.put(UInt8(flag ? 1 : 0))
        case let number as Int:
            writer.put(UInt8(ascii: "i"))
            writer.put(Int64(number))
        case let number as Double:
            writer.put(UInt8(ascii: "d"))
            writer.put(number)
        case let data as Data:
            writer.put(UInt8(ascii: "x"))
            writer.put(Array(data))
        default: return nil
        }
        return writer.bytes
    }

    private static func decoded(_ bytes: [UInt8]) -> (any Sendable)? {
        bytes.withUnsafeBytes { space in
            var reader = ByteReader(space)
            return switch reader.number(UInt8.self) {
            case UInt8(ascii: "s"): reader.text()
            case UInt8(ascii: "b"): reader.number(UInt8.self) != 0
            case UInt8(ascii: "i"): Int(reader.number(Int64.self))
            case UInt8(ascii: "d"): reader.double()
            case UInt8(ascii: "x"): Data(reader.raw())
            default: nil
            }
        }
    }
}
