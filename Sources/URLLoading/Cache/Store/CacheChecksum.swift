/// A checksum of 64 bits, at the speed of memory: against torn and rotten files, not against people.
///
/// Words of 8 bytes are multiplied to 128 bits and folded, as in wyhash. What it gives is written
/// to disk, so it must stay what it is.
struct CacheChecksum: Sendable {
    private var state: UInt64
    private var count: UInt64 = 0
    /// Bytes that do not make a word yet, the first in the lowest place.
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    init(seed: UInt64 = 0) {
        state = seed ^ 0xA076_1D64_78BD_642F
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var index = 0
        while pendingCount != 0, index < bytes.count {
            take(bytes[index])
            index += 1
        }
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            mix(UInt64(littleEndian: word))
            index += 8
        }
        while index < bytes.count {
            take(bytes[index])
            index += 1
        }
    }

    private mutating func take(_ byte: UInt8) {
        pending |= UInt64(byte) << (pendingCount * 8)
        pendingCount += 1
        guard pendingCount == 8 else { return }
        mix(pending)
        pending = 0
        pendingCount = 0
    }

    private mutating func mix(_ word: UInt64) {
        let product = (word ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: state | 1)
        state = product.high ^ product.low ^ (word &* 0x9E37_79B9_7F4A_7C15)
    }

    var value: UInt64 {
        var last = self
        last.mix(pending)
        last.mix(count)
        last.mix(0x8EBC_6AF0_9C88_C6E3)
        return last.state
    }

    /// The checksum of some bytes.
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var checksum = CacheChecksum(seed: seed)
        checksum.update(bytes)
        return checksum.value
    }

    /// A name of 32 hex digits for a text.
    static func name(of text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return hex(of(bytes, seed: 1)) + hex(of(bytes, seed: 2))
        }
    }

    /// 16 hex digits.
    static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
