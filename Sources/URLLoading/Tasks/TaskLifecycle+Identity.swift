// Client certificates. The handshake that requests one fails, because it cannot wait for the delegate.
extension TaskLifecycle {
    /// Asks the delegate for a client certificate, after the hop has ended before its request.
    mutating func identify(_ wanted: WantedIdentity) -> [Action] {
        state = .choosingCertificate
        return [.askIdentity(wanted)]
    }

    /// Begins the same hop again after the delegate's decision, with the unread body.
    mutating func resolveIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        state = .ready
        return isSuspended ? [] : begin()
    }

    /// Ends the task because the delegate cancelled the challenge.
    mutating func cancelIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        return cancel(
            URLError(.cancelled, detail: "the client certificate challenge was cancelled")
        )
    }
}
