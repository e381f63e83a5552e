/// Puts values one after another, little-endian, for `ByteReader` to take them out again.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ number: Double) {
        put(number.bitPattern)
    }

    mutating func put(_ text: String) {
        put(UInt32(clamping: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ text: String?) {
        put(UInt8(text == nil ? 0 : 1))
        if let text { put(text) }
    }

    mutating func put(_ raw: [UInt8]) {
        put(UInt32(clamping: raw.count))
        bytes.append(contentsOf: raw)
    }
}
