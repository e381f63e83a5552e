import CSSL

/// What keeps a connection silent until it is decided whether its server is to be spoken to.
extension Handshake {
    /// Lets nothing out any more until the handler has decided.
    func holdBack(_ output: OpaquePointer) {
        // Unretained: the context that owns this record outlives the connection's output.
        let me = Unmanaged.passUnretained(self).toOpaque()
        BIO_set_callback_arg(output, me.assumingMemoryBound(to: CChar.self))
        BIO_set_callback_ex(output, onOutput)
    }

    /// Something wants to leave.
    fileprivate func passes(_ output: OpaquePointer) -> Bool {
        switch state {
        case .accepted: return true
        case .refused: break
        case .undecided:
            guard let transfer, let trust else { break }
            guard let decision = transfer.decision(on: trust) else {
                shim_write_later(output)
                return false
            }
            settle(decision, trust)
            guard case .accepted = state else {
                transfer.stop(refusing: trust)
                break
            }
            if wantedIssuers != nil {
                state = .refused
                transfer.stop(forCertificateOf: self)
                break
            }
            BIO_set_callback_ex(output, nil)
            return true
        }
        shim_write_never(output)
        return false
    }
}

private let onOutput: BIO_callback_fn_ex = { output, operation, _, _, _, _, result, _ in
    guard operation == BIO_CB_WRITE, let output, let owner = BIO_get_callback_arg(output) else {
        return Int(result)
    }
    let handshake = Unmanaged<Handshake>.fromOpaque(owner).takeUnretainedValue()
    return handshake.passes(output) ? Int(result) : -1
}
