// A server that wants a client certificate. The handshake in which it says so comes to nothing:
// the delegate cannot be waited for in it.
extension TaskLifecycle {
    /// The hop has ended before its request, with this.
    mutating func identify(_ wanted: WantedIdentity) -> [Action] {
        state = .choosingCertificate
        return [.askIdentity(wanted)]
    }

    /// What to show is settled: the same hop begins again, with the body that it has not touched.
    mutating func resolveIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        body = sentBody
        state = .ready
        return isSuspended ? [] : begin()
    }

    /// The delegate wants nothing to do with it.
    mutating func cancelIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        return cancel(
            URLError(.cancelled, detail: "the client certificate challenge was cancelled")
        )
    }
}
