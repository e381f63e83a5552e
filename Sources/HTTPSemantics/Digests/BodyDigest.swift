import FoundationEssentials

/// The digest of a body.
///
/// Not in Foundation.
public struct BodyDigest: Sendable, Hashable {
    /// The function.
    public let algorithm: Algorithm
    /// The digest; its length is the function's.
    public let bytes: [UInt8]

    /// Takes bytes; `nil` where the function makes more, or fewer.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Takes hex in either case; `nil` where it is none, or of another length.
    public init?(_ algorithm: Algorithm, hex: some StringProtocol) {
        guard hex.utf8.count == algorithm.length * 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(algorithm.length)
        var half: UInt8?
        for character in hex.utf8 {
            guard let digit = character.hexValue else { return nil }
            if let high = half {
                bytes.append(high << 4 | digit)
                half = nil
            } else {
                half = digit
            }
        }
        self.init(algorithm, bytes: bytes)
    }

    /// Takes base64 of either alphabet, with or without its padding; `nil` where it is none, or of
    /// another length.
    public init?(_ algorithm: Algorithm, base64: some StringProtocol) {
        guard let bytes = Self.bytes(base64: base64) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// In lower-case hex.
    public var hex: String { bytes.hexText }

    /// The bytes that a text in base64 means; `nil` where it is none.
    static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
        var characters = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        characters.removeLast(padding)
        while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(characters)).map { Array($0) }
    }
}

extension BodyDigest: CustomStringConvertible {
    /// `sha256:` and the hex.
    public var description: String { "\(algorithm):\(hex)" }
}

extension BodyDigest {
    /// The hash functions that bodies are compared by, the weakest first.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Insecure: it detects accidents, but no forgery.
        case md5
        /// Insecure: it detects accidents, but no forgery.
        case sha1
        /// SHA-2 with 256 bits.
        case sha256
        /// SHA-2 with 384 bits.
        case sha384
        /// SHA-2 with 512 bits.
        case sha512

        /// What it makes, bytes.
        public var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// Whether the one is weaker than the other.
        public static func < (one: Algorithm, other: Algorithm) -> Bool {
            one.length < other.length
        }
    }
}

extension BodyDigest.Algorithm: CustomStringConvertible {
    /// Its name as command lines have it: `sha256`.
    public var description: String { rawValue }
}

/// The expected digest of a body: one of several digests by one function.
///
/// Not in Foundation.
public struct ExpectedDigest: Sendable, Hashable {
    /// Never empty, and all of one function.
    public let digests: [BodyDigest]

    /// Expects just this one.
    public init(_ digest: BodyDigest) {
        digests = [digest]
    }

    /// Expects one of those by the strongest function among them, as
    /// [Subresource Integrity
    /// §3.3.4](https://www.w3.org/TR/SRI/#get-the-strongest-metadata-from-set) does; `nil` of none.
    public init?(_ digests: [BodyDigest]) {
        guard let strongest = digests.map(\.algorithm).max() else { return nil }
        self.digests = digests.filter { $0.algorithm == strongest }
    }

    /// The function.
    public var algorithm: BodyDigest.Algorithm { digests[0].algorithm }

    /// Whether a digest is one of them.
    public func accepts(_ digest: BodyDigest) -> Bool {
        digests.contains(digest)
    }
}

extension ExpectedDigest: CustomStringConvertible {
    /// `sha256:` and the hex, of each.
    public var description: String { digests.map(\.description).joined(separator: " or ") }
}

extension ExpectedDigest: Codable {
    /// Texts as ``BodyDigest/description`` has them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digests = try container.decode([String].self).map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2,
                let algorithm = BodyDigest.Algorithm(rawValue: String(parts[0])),
                let digest = BodyDigest(algorithm, hex: parts[1])
            else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "no digest"
                )
            }
            return digest
        }
        guard let expected = ExpectedDigest(digests) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no digests")
        }
        self = expected
    }

    /// Texts as ``BodyDigest/description`` has them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digests.map(\.description))
    }
}
