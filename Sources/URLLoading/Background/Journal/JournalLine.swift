import FoundationEssentials

/// A line of a journal: JSON, whose first member is the checksum of all that follows it.
///
///     {"check":"0123456789abcdef","batch":7,"last":true,"number":12,"record":{…}}
///
/// Lines are numbered from 1. Those that were brought to the disk together are a batch, and the last
/// of them says so: they count together or not at all.
struct JournalLine: Codable {
    static let end = UInt8(ascii: "\n")
    private static let opening = Array(#"{"check":""#.utf8)
    private static let digits = 16
    private static let closing = Array(#"","#.utf8)
    private static var prefixLength: Int { opening.count + digits + closing.count }

    var batch: Int
    var last: Bool
    var number: Int

    /// A record as a line, with its end.
    static func encode(
        _ record: JournalRecord,
        number: Int,
        batch: Int,
        isLast: Bool,
        _ encoder: JSONEncoder
    ) throws -> [UInt8] {
        let line = Whole(batch: batch, last: isLast, number: number, record: record)
        let rest = try encoder.encode(line).dropFirst()
        let check = Array(StableHash.hex(Self.checksum(Array(rest))).utf8)
        return opening + check + closing + rest + [end]
    }

    /// What a line says of itself, without its end; `nil` where it is not what was written.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > Self.prefixLength, bytes.starts(with: Self.opening) else { return nil }
        let digits = bytes[Self.opening.count...].prefix(Self.digits)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[Self.prefixLength...])
        guard digits.elementsEqual(StableHash.hex(StableHash.of(rest)).utf8),
            let line = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = line
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { StableHash.of($0) }
    }

    private struct Whole: Encodable {
        let batch: Int
        let last: Bool
        let number: Int
        let record: JournalRecord
    }
}
