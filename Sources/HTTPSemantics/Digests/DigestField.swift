/// A `Content-Digest` or `Repr-Digest` field
/// ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)).
///
/// The reader may ignore any digest in it: what is not `sha-256` or `sha-512` is, deprecated
/// functions among it (§5). Where there are both, `sha-256` is compared, for which processors have
/// instructions; neither can be forged.
public enum DigestField {
    /// The result of reading one.
    public enum Reading: Sendable, Hashable {
        /// No digest that is compared, which is valid.
        case nothing
        /// The digest that the body must have.
        case digest(BodyDigest)
        /// The field or its digest is malformed, with the reason.
        case malformed(String)
    }

    private static let functions: [(name: String, algorithm: BodyDigest.Algorithm)] = [
        ("sha-256", .sha256), ("sha-512", .sha512),
    ]

    /// Reads a field's lines, joined by commas.
    public static func read(_ text: String) -> Reading {
        guard let members = StructuredDictionary(text)?.members else {
            return .malformed("it is not a dictionary of digests")
        }
        for (name, algorithm) in functions {
            guard let member = members[name] else { continue }
            guard case .bytes(let bytes) = member, let digest = BodyDigest(algorithm, bytes: bytes)
            else { return .malformed("its \(name) is not \(algorithm.length) bytes") }
            return .digest(digest)
        }
        return .nothing
    }
}

/// The source of an expected digest.
///
/// Not in Foundation.
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

/// The result of comparing a body with a digest.
///
/// Not in Foundation.
public enum DigestFinding: Sendable, Hashable {
    /// The body has the digest.
    case matches(DigestSource, BodyDigest)
    /// The body has another digest.
    case differs(DigestMismatch)
    /// A server's field cannot be used, with the reason.
    case unusable(DigestSource, String)
}

/// A body whose digest is not the expected one.
///
/// Not in Foundation.
public struct DigestMismatch: Sendable, Hashable {
    /// The source of the digest.
    public let source: DigestSource
    /// The expected digest.
    public let expected: ExpectedDigest
    /// The digest of the body.
    public let actual: BodyDigest

    /// Keeps both.
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

/// A digest that some bytes must have, and its source.
public struct DigestRequirement: Sendable, Equatable {
    /// Its source.
    public let source: DigestSource
    /// The expected digest.
    public let expected: ExpectedDigest

    /// Keeps both.
    public init(source: DigestSource, expected: ExpectedDigest) {
        self.source = source
        self.expected = expected
    }

    /// Compares the digests of the bytes.
    ///
    /// - Parameter digests: by every function that is asked for.
    /// - Returns: the finding; `nil` where no digest was made.
    public func finding(in digests: [BodyDigest]) -> DigestFinding? {
        guard let actual = digests.first(where: { $0.algorithm == expected.algorithm }) else {
            return nil
        }
        guard !expected.accepts(actual) else { return .matches(source, actual) }
        return .differs(DigestMismatch(source: source, expected: expected, actual: actual))
    }
}

extension [DigestRequirement] {
    /// The functions by which the bytes must be digested.
    public var algorithms: Set<BodyDigest.Algorithm> { Set<_>(map(\.expected.algorithm)) }

    /// The finding for each requirement for which there is a digest.
    public func findings(in digests: [BodyDigest]) -> [DigestFinding] {
        compactMap { $0.finding(in: digests) }
    }
}
