/// Takes values out of bytes that may be anything: once something is missing, all that follows is
/// empty, and it says so.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private(set) var hasFailed = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether everything was there, and nothing else.
    var isComplete: Bool { !hasFailed && index == bytes.count }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
        guard let piece = take(MemoryLayout<Number>.size) else { return 0 }
        return Number(littleEndian: piece.loadUnaligned(as: Number.self))
    }

    mutating func double() -> Double { Double(bitPattern: number(UInt64.self)) }

    mutating func raw() -> [UInt8] {
        let count = Int(number(UInt32.self))
        return take(count).map { Array($0) } ?? []
    }

    mutating func text() -> String { String(decoding: raw(), as: UTF8.self) }

    mutating func optionalText() -> String? {
        number(UInt8.self) == 0 ? nil : text()
    }

    /// As many values as the next number says.
    mutating func list<Value>(_ value: (inout ByteReader) -> Value) -> [Value] {
        let count = Int(number(UInt32.self))
        var values: [Value] = []
        for _ in 0..<count {
            guard !hasFailed else { break }
            values.append(value(&self))
        }
        return values
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard !hasFailed, bytes.count - index >= count else {
            hasFailed = true
            return nil
        }
        defer { index += count }
        return UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
    }
}
