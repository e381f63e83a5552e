/// A body that is not what it was to be.
///
/// Not in Foundation.
public struct DigestMismatch: Sendable, Hashable {
    /// Who has said so.
    public let source: DigestSource
    /// What it was to come to.
    public let expected: ExpectedDigest
    /// What it comes to.
    public let actual: BodyDigest

    /// Keeps both.
    public init(source: DigestSource, expected: ExpectedDigest, actual: BodyDigest) {
        self.source = source
        self.expected = expected
        self.actual = actual
    }
}

extension DigestMismatch: CustomStringConvertible {
    /// Both values, and the field where it is a server's word.
    public var description: String {
        let prefix = source == .caller ? "" : "\(source.rawValue): "
        return "\(prefix)expected \(expected), got \(actual)"
    }
}

extension URLError {
    /// The error that it is.
    package init(_ mismatch: DigestMismatch) {
        self.init(.bodyDigestMismatch, detail: "\(mismatch)")
        digestMismatch = mismatch
    }
}
