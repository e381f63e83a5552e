/// Bytes that look random, do not compress, and are the same for the same seed (SplitMix64).
public struct PseudoRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to a seed.
    public init(seed: UInt64 = 1) {
        state = seed
    }

    /// The next 64 bits of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next `count` bytes; the last word drawn is cut where `count` is no multiple of eight.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            var offset = 0
            while offset + 8 <= count {
                raw.storeBytes(of: next().littleEndian, toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            if offset < count {
                var word = next()
                while offset < count {
                    raw[offset] = UInt8(truncatingIfNeeded: word)
                    word >>= 8
                    offset += 1
                }
            }
            initialized = count
        }
    }

    /// The first `count` bytes of the sequence that belongs to a seed.
    public static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = PseudoRandom(seed: seed)
        return generator.bytes(count)
    }
}
