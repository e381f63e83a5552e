/// A 64-bit hash, at the speed of memory, which is the same in every process.
///
/// The hash is for file names and journal lines: it detects accidents, not attacks. It multiplies words of 8
/// bytes to 128 bits, and folds them, as in wyhash. We write hashes to the disk, so the function must not
/// change.
enum StableHash {
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var state = seed ^ 0xA076_1D64_78BD_642F
        func mix(_ word: UInt64) {
            let product = (word ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: state | 1)
            state = product.high ^ product.low ^ (word &* 0x9E37_79B9_7F4A_7C15)
        }
        let end = bytes.count / 8 * 8
        for index in stride(from: 0, to: end, by: 8) {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            mix(UInt64(littleEndian: word))
        }
        // The remaining bytes as one word, the first byte in the lowest place.
        mix(bytes[end...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        mix(UInt64(bytes.count))
        mix(0x8EBC_6AF0_9C88_C6E3)
        return state
    }

    /// A name of 32 hex digits for a text.
    static func name(of text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return of(bytes, seed: 1).hexText + of(bytes, seed: 2).hexText
        }
    }
}
