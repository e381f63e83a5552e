import FoundationEssentials
import Synchronization
import URLLoading

/// The digest of what a run writes to standard output, or to a device, over all its tries: a later
/// one goes on where an earlier one has ended.
final class BodyProof: Sendable {
    private let expected: ExpectedDigest
    private let digests: Mutex<RunningDigests>

    /// Throws `bodyDigestMismatch` where the function is not allowed.
    init(_ expected: ExpectedDigest) throws(URLError) {
        self.expected = expected
        digests = Mutex(try RunningDigests([expected.algorithm]))
    }

    /// Takes what was written.
    func take(_ data: Data) {
        digests.withLock { digests in data.withUnsafeBytes { digests.update($0) } }
    }

    /// What was taken was not written after all.
    func reset() {
        digests.withLock { digests in
            if let fresh = try? RunningDigests([expected.algorithm]) { digests = fresh }
        }
    }

    /// What came of it, once all is written.
    func finish() -> DigestFinding? {
        guard let actual = digests.withLock({ $0.finish() }).first else { return nil }
        guard !expected.accepts(actual) else { return .matches(.caller, actual) }
        return .differs(DigestMismatch(source: .caller, expected: expected, actual: actual))
    }
}
