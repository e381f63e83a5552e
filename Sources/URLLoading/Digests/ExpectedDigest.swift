/// What a body must come to: one of several digests by one function.
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
