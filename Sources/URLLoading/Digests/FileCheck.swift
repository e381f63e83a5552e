/// A file that has come whole, and what has to be found out about it before it counts.
struct FileCheck: Sendable {
    let digest: FileDigest
    /// Bytes that it has.
    let length: Int64
    let requirements: [DigestRequirement]

    /// Finds out.
    ///
    /// - Parameter then: told what was found, or why nothing was, on a queue of the check's own;
    ///   once.
    func run(then: @escaping @Sendable (Result<[DigestFinding], URLError>) -> Void) {
        digest.finish(at: length) { [requirements] result in
            then(result.map { requirements.findings(in: $0) })
        }
    }
}
