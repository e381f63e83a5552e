import Dispatch
import Synchronization

// Expected and computed digests of bodies. Not in Foundation.
extension URLSessionTask {
    /// The expected digest of the response's body, whatever its status; `nil`: none.
    ///
    /// The task reads it when it decides about the body's destination: a delegate may set it until it
    /// replies to `didReceive response`. It covers the delivered bytes, with content codings decoded; in a
    /// continued download, all bytes of the file. With another digest, the task fails with
    /// `bodyDigestMismatch`. It removes a file; a program must not trust bytes that it received before the
    /// end. The task does not compare a response without content (HEAD, 304).
    public var expectedDigest: ExpectedDigest? {
        get { locked.withLock { $0.expectedDigest } }
        set { locked.withLock { $0.expectedDigest = newValue } }
    }

    /// Whether a continued download with a wrong digest starts over, once
    /// (`didStartOver`), because the part may be the wrong half.
    ///
    /// Set it before the first `resume()`. Default: `true`.
    public var startsOverOnDigestMismatch: Bool {
        get { locked.withLock { $0.startsOverOnDigestMismatch } }
        set { locked.withLock { $0.startsOverOnDigestMismatch = newValue } }
    }

    /// Adds the expected digest to a disposition of a body.
    ///
    /// `inout`, because Swift 6.3 copies the whole state for a borrowing parameter here.
    func checked(_ disposition: BodyDisposition, _ locked: inout Locked) -> BodyDisposition {
        guard let expected = locked.expectedDigest, !locked.lifecycle.isPart,
            disposition.isUse || disposition.isComplete
        else { return disposition }
        return .checked(disposition, expected)
    }

    /// Compares a complete file with its expected digest, before the task ends.
    func verify(_ download: Download, _ locked: borrowing Locked) {
        let mayStartOver = locked.startsOverOnDigestMismatch
        download.compare { [self] result in
            apply { locked in
                let findings: [DigestFinding]
                var error: URLError?
                switch result {
                case .success(let found): (findings, error) = (found, found.error)
                case .failure(let failure): (findings, error) = ([], failure)
                }
                guard locked.lifecycle.isVerifying else { return [] }
                reportDigests(findings, locked)
                return locked.lifecycle.verified(error, mayStartOver: mayStartOver)
            }
        }
    }

    func reportDigests(_ findings: [DigestFinding], _ locked: borrowing Locked) {
        guard !findings.isEmpty else { return }
        report(locked) { [self] delegate, session in
            for finding in findings {
                delegate.urlSession(session, task: self, didCheckDigest: finding)
            }
        }
    }
}
