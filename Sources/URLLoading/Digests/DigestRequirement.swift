/// A digest that some bytes must have, and who says so.
struct DigestRequirement: Sendable, Equatable {
    let source: DigestSource
    let expected: ExpectedDigest

    /// Looks at what the bytes came to.
    ///
    /// - Parameter digests: by every function that is asked for.
    /// - Returns: the finding; `nil` where nobody made the digest.
    func finding(in digests: [BodyDigest]) -> DigestFinding? {
        guard let actual = digests.first(where: { $0.algorithm == expected.algorithm }) else {
            return nil
        }
        guard !expected.accepts(actual) else { return .matches(source, actual) }
        return .differs(DigestMismatch(source: source, expected: expected, actual: actual))
    }
}

extension [DigestRequirement] {
    var algorithms: Set<BodyDigest.Algorithm> { Set<_>(map(\.expected.algorithm)) }

    /// What is found of each.
    func findings(in digests: [BodyDigest]) -> [DigestFinding] {
        compactMap { $0.finding(in: digests) }
    }
}

extension [DigestFinding] {
    /// What a task fails with: the caller's own word goes first.
    var error: URLError? {
        lazy.compactMap { finding -> URLError? in
            if case .differs(let mismatch) = finding { URLError(mismatch) } else { nil }
        }.first
    }
}
