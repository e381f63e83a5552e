import Dispatch
import Synchronization

// Digests of bodies: what is expected, and what was found. Not in Foundation.
extension URLSessionTask {
    /// What the body of the response must come to, whatever its status; `nil`: whatever it comes
    /// to.
    ///
    /// It is looked at when it is settled what becomes of the body: a delegate may set it until it
    /// replies to `didReceive response`. What counts are the bytes that are handed on, after
    /// content codings were undone; of a download that is continued, all that the file has.
    /// Otherwise the task fails with `bodyDigestMismatch`: a file is removed, and what was
    /// delivered before the end was known is not to be trusted. A response without content (HEAD,
    /// 304) is not compared.
    public var expectedDigest: ExpectedDigest? {
        get { locked.withLock { $0.expectedDigest } }
        set { locked.withLock { $0.expectedDigest = newValue } }
    }

    /// Whether a download that is continued, and has a wrong digest, begins
    /// once more at its first byte (`didStartOver`), since the part may have been what is wrong.
    ///
    /// Set it before the first `resume()`. Default: `true`.
    public var startsOverOnDigestMismatch: Bool {
        get { locked.withLock { $0.startsOverOnDigestMismatch } }
        set { locked.withLock { $0.startsOverOnDigestMismatch = newValue } }
    }

    /// A decision about a body, with what the body must come to.
    func checked(_ disposition: BodyDisposition, _ locked: borrowing Locked) -> BodyDisposition {
        guard let expected = locked.expectedDigest, !locked.lifecycle.isPart,
            disposition.isUse || disposition.isComplete
        else { return disposition }
        return .checked(disposition, expected)
    }

    /// Compares a file that is whole with what it was to be; the task ends after that.
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
                tellDigests(findings, locked)
                return locked.lifecycle.verified(error, mayStartOver: mayStartOver)
            }
        }
    }

    /// Tells what was found.
    func tellDigests(_ findings: [DigestFinding], _ locked: borrowing Locked) {
        guard !findings.isEmpty, let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            for finding in findings {
                delegate.urlSession(session, task: self, didCheckDigest: finding)
            }
        }
    }
}
