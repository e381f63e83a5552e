/// Digests in the making of the same bytes, by one function or several; used on one thread at a
/// time.
package final class RunningDigests {
    /// One of them: what cannot be copied does not stand in an array.
    private final class Running {
        let algorithm: BodyDigest.Algorithm
        var digest: MessageDigest?

        init?(_ algorithm: BodyDigest.Algorithm) {
            guard let digest = MessageDigest(algorithm.implementation) else { return nil }
            self.algorithm = algorithm
            self.digest = consume digest
        }
    }

    private let all: [Running]

    /// Begins.
    ///
    /// Throws `bodyDigestMismatch` where OpenSSL refuses a function, as MD5 in FIPS mode: what
    /// cannot be proved is not taken.
    package init(_ algorithms: Set<BodyDigest.Algorithm>) throws(URLError) {
        var all: [Running] = []
        for algorithm in algorithms.sorted() {
            guard let running = Running(algorithm) else {
                throw URLError(.bodyDigestMismatch, detail: "OpenSSL does not allow \(algorithm)")
            }
            all.append(running)
        }
        self.all = all
    }

    /// Takes the next bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        for running in all { running.digest?.update(bytes) }
    }

    /// The digests of all that was taken; none the second time.
    package func finish() -> [BodyDigest] {
        all.compactMap { running in
            guard let digest = running.digest.take() else { return nil }
            return BodyDigest(running.algorithm, bytes: digest.finish())
        }
    }
}
