/// What requests say for themselves, once somebody has said with what.
enum AuthenticationProof: Sendable {
    /// The same field with each request: Basic.
    case field(String)
    /// A field for each request: Digest.
    case digest(DigestExchange)
    /// A handshake on the connection, which the engine carries out.
    case connection(ConnectionProof)

    /// The handshake, where it is one.
    var connectionLevel: ConnectionProof? {
        if case .connection(let proof) = self { proof } else { nil }
    }
}

/// A handshake that proves a connection.
struct ConnectionProof: Sendable, Hashable {
    enum Method: Sendable, Hashable {
        case ntlm
        case negotiate
    }

    let method: Method
    /// `nil`: with the ticket at hand.
    let user: String?
    let password: Secret?
}
