/// What came of comparing a body with a digest.
///
/// Not in Foundation.
public enum DigestFinding: Sendable, Hashable {
    /// It has it.
    case matches(DigestSource, BodyDigest)
    /// It has another.
    case differs(DigestMismatch)
    /// A server's field that says nothing which could be compared; why.
    case unusable(DigestSource, String)
}
