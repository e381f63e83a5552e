import FoundationEssentials

/// The digest of a body; Foundation has no such type.
public struct BodyDigest: Sendable, Hashable {
    /// The hash function.
    public let algorithm: Algorithm
    /// The digest; the function determines its length.
    public let bytes: [UInt8]

    /// Takes bytes; `nil` if the function makes more or fewer.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Parses hex in either case; `nil` if it is malformed, or has a wrong length.
    public init?(_ algorithm: Algorithm, hex: some StringProtocol) {
        let length = algorithm.length * 2
        guard hex.utf8.count == length else { return nil }
        let digits = hex.utf8.compactMap(\.hexValue)
        guard digits.count == length else { return nil }
        let bytes = stride(from: 0, to: length, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        self.init(algorithm, bytes: bytes)
    }

    /// Parses base64 of either alphabet, with or without padding.
    ///
    /// `nil` if it is malformed, or has a wrong length.
    public init?(_ algorithm: Algorithm, base64: some StringProtocol) {
        guard let bytes = Self.bytes(base64: base64) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// The digest in lower-case hex.
    public var hex: String { bytes.hexText }

    /// Decodes base64; `nil` if it is malformed.
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
    /// The hash functions for bodies, the weakest first.
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

        /// The length of its digests in bytes.
        public var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// Whether one function is weaker than another.
        public static func < (one: Algorithm, other: Algorithm) -> Bool {
            one.length < other.length
        }
    }
}

extension BodyDigest.Algorithm: CustomStringConvertible {
    /// The name on command lines, such as `sha256`.
    public var description: String { rawValue }
}

/// The expected digest of a body: one of several digests by one function.
///
/// Foundation has no such type.
public struct ExpectedDigest: Sendable, Hashable {
    /// The digests: at least one, and all by one function.
    public let digests: [BodyDigest]

    /// Expects this digest.
    public init(_ digest: BodyDigest) {
        digests = [digest]
    }

    /// Expects one of the digests by the strongest function among them; `nil` if the list is empty
    /// ([Subresource Integrity §3.3.4](https://www.w3.org/TR/SRI/#get-the-strongest-metadata-from-set)).
    public init?(_ digests: [BodyDigest]) {
        guard let strongest = digests.map(\.algorithm).max() else { return nil }
        self.digests = digests.filter { $0.algorithm == strongest }
    }

    /// The hash function.
    public var algorithm: BodyDigest.Algorithm { digests[0].algorithm }

    /// Whether a digest is one of the expected ones.
    public func accepts(_ digest: BodyDigest) -> Bool {
        digests.contains(digest)
    }
}

extension ExpectedDigest: CustomStringConvertible {
    /// For each digest `sha256:` and the hex.
    public var description: String { digests.map(\.description).joined(separator: " or ") }
}

extension ExpectedDigest: Codable {
    /// Decodes a list of texts in the form of ``BodyDigest/description``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digests = try container.decode([String].self).map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2,
                let algorithm = BodyDigest.Algorithm(rawValue: String(parts[0])),
                let digest = BodyDigest(algorithm, hex: parts[1])
            else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no digest")
            }
            return digest
        }
        guard let expected = ExpectedDigest(digests) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no digests")
        }
        self = expected
    }

    /// Encodes a list of texts in the form of ``BodyDigest/description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digests.map(\.description))
    }
}
