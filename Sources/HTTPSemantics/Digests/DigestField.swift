/// Parses a `Content-Digest` or `Repr-Digest` field.
///
/// See [RFC 9530](https://www.rfc-editor.org/rfc/rfc9530). The reader may ignore any digest in it: we ignore
/// all except `sha-256` and `sha-512`, including those by deprecated functions (§5). If the field has both,
/// we compare `sha-256`, since processors have instructions for it; an attacker can forge neither.
public enum DigestField {
    /// The result of a parsed field.
    public enum Reading: Sendable, Hashable {
        /// The field has no digest that we compare, which is valid.
        case nothing
        /// The digest that the body must have.
        case digest(BodyDigest)
        /// The field or its digest is malformed, with the reason.
        case flawed(String)
    }

    private static let functions: [(name: String, algorithm: BodyDigest.Algorithm)] = [
        ("sha-256", .sha256), ("sha-512", .sha512),
    ]

    /// Parses a field's lines, joined by commas.
    public static func read(_ text: String) -> Reading {
        guard let members = StructuredDictionary(text)?.members else {
            return .flawed("it is not a dictionary of digests")
        }
        for (name, algorithm) in functions {
            guard let member = members[name] else { continue }
            guard case .bytes(let bytes) = member, let digest = BodyDigest(algorithm, bytes: bytes)
            else { return .flawed("its \(name) digest does not have \(algorithm.length) bytes") }
            return .digest(digest)
        }
        return .nothing
    }
}

/// The source of an expected digest; Foundation has no such type.
public enum DigestSource: String, Sendable, Hashable, CaseIterable {
    /// The caller that made the task.
    case caller
    /// The server, for the content of this one response ([RFC 9530
    /// §2](https://www.rfc-editor.org/rfc/rfc9530#section-2)).
    case contentDigest = "Content-Digest"
    /// The server, for the whole representation ([RFC 9530
    /// §3](https://www.rfc-editor.org/rfc/rfc9530#section-3)).
    case reprDigest = "Repr-Digest"
}

/// The result of a comparison of a body with a digest; Foundation has no such type.
public enum DigestFinding: Sendable, Hashable {
    /// The body has the digest.
    case matches(DigestSource, BodyDigest)
    /// The body has a different digest.
    case differs(DigestMismatch)
    /// We cannot use a server's field, for the given reason.
    case unusable(DigestSource, String)
}

/// A body with an unexpected digest; Foundation has no such type.
public struct DigestMismatch: Sendable, Hashable {
    /// The source of the digest.
    public let source: DigestSource
    /// The expected digest.
    public let expected: ExpectedDigest
    /// The digest of the body.
    public let actual: BodyDigest

    /// Sets all properties.
    public init(source: DigestSource, expected: ExpectedDigest, actual: BodyDigest) {
        self.source = source
        self.expected = expected
        self.actual = actual
    }
}

extension DigestMismatch: CustomStringConvertible {
    /// Both digests, and the field if a server sent the expected one.
    public var description: String {
        let prefix = source == .caller ? "" : "\(source.rawValue): "
        return "\(prefix)expected \(expected), got \(actual)"
    }
}

/// A digest that some bytes must have, and the digest's source.
public struct DigestRequirement: Sendable, Equatable {
    /// The source of the digest.
    public let source: DigestSource
    /// The expected digest.
    public let expected: ExpectedDigest

    /// Sets both properties.
    public init(source: DigestSource, expected: ExpectedDigest) {
        self.source = source
        self.expected = expected
    }

    /// Compares the digests of the bytes.
    ///
    /// - Parameter digests: the digests by all required functions.
    /// - Returns: the finding; `nil` if there is no digest by the right function.
    public func finding(in digests: [BodyDigest]) -> DigestFinding? {
        guard let actual = digests.first(where: { $0.algorithm == expected.algorithm }) else {
            return nil
        }
        guard !expected.accepts(actual) else { return .matches(source, actual) }
        return .differs(DigestMismatch(source: source, expected: expected, actual: actual))
    }
}

extension [DigestRequirement] {
    /// The functions that must hash the bytes.
    public var algorithms: Set<BodyDigest.Algorithm> { Set<_>(map(\.expected.algorithm)) }

    /// The finding for each requirement that has a digest.
    public func findings(in digests: [BodyDigest]) -> [DigestFinding] {
        compactMap { $0.finding(in: digests) }
    }
}
