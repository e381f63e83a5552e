/// By which methods a server may be told who one is: `--auth`.
enum AuthenticationChoice: String, CaseIterable, Sendable {
    /// The best that the server offers.
    case any
    case basic
    case digest
    case ntlm
    case negotiate
}
