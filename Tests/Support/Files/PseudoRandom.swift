import CTestSupport

/// Bytes that look random, do not compress, and are the same for the same seed (SplitMix64).
public struct PseudoRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to a seed.
    public init(seed: UInt64 = 1) {
        state = seed
    }

    /// The next 64 bits of the sequence.
    public mutating func next() -> UInt64 {
        pseudo_random_next(&state)
    }

    /// The next `count` bytes; the last word is cut where `count` is not a multiple of eight.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            pseudo_random_fill(&state, buffer.baseAddress, count)
            initialized = count
        }
    }

    /// The first `count` bytes of the sequence that belongs to a seed.
    public static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = PseudoRandom(seed: seed)
        return generator.bytes(count)
    }
}
