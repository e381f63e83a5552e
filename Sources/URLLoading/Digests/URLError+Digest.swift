extension URLError {
    /// The error of a body that has another digest than it was to have.
    package init(_ mismatch: DigestMismatch) {
        self.init(.bodyDigestMismatch, detail: "\(mismatch)")
        digestMismatch = mismatch
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
