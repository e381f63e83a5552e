extension AuthenticationOffer {
    /// What a credential comes to by this method; `nil` where it is of another kind, or has what
    /// the method cannot say.
    func proof(by credential: URLCredential) -> AuthenticationProof? {
        guard let user = credential.user else { return nil }
        let password = Secret(credential.password ?? "")
        switch self {
        case .basic:
            return (try? BasicAuthentication.field(user: user, password: password))
                .map(AuthenticationProof.field)
        case .digest(let challenge):
            return .digest(
                DigestExchange(DigestAuthentication(challenge, user: user, password: password))
            )
        case .ntlm:
            return .connection(ConnectionProof(method: .ntlm, user: user, password: password))
        // GSSAPI takes the ticket at hand, and looks at neither; whose it is would be a surprise.
        case .negotiate, .bearer: return nil
        }
    }
}
