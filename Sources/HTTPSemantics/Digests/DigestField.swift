/// A `Content-Digest` or `Repr-Digest` field
/// ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)).
///
/// Who reads it may pass over any digest in it: what is not `sha-256` or `sha-512` is, deprecated
/// functions among it (§5). Where there are both, `sha-256` is compared, for which processors have
/// instructions; neither can be forged.
public enum DigestField {
    /// What it comes to.
    public enum Reading: Sendable, Hashable {
        /// Nothing that could be compared, as is allowed.
        case nothing
        /// The digest that the body must have.
        case digest(BodyDigest)
        /// It is none, or its digest is none; why.
        case flawed(String)
    }

    private static let functions: [(name: String, algorithm: BodyDigest.Algorithm)] = [
        ("sha-256", .sha256), ("sha-512", .sha512),
    ]

    /// Reads a field's lines, joined by commas.
    public static func read(_ text: String) -> Reading {
        guard let members = StructuredDictionary(text)?.members else {
            return .flawed("it is not a dictionary of digests")
        }
        for (name, algorithm) in functions {
            guard let member = members[name] else { continue }
            guard case .bytes(let bytes) = member, let digest = BodyDigest(algorithm, bytes: bytes)
            else { return .flawed("its \(name) is not \(algorithm.length) bytes") }
            return .digest(digest)
        }
        return .nothing
    }
}
