/// What a hop shows a server that wants a client certificate, where the session has none for all.
enum HopIdentity: Sendable, Hashable {
    /// Not decided: the hop ends, and says whose certificates are wanted.
    case undecided
    /// Nothing.
    case none
    /// This one.
    case certificate(URLSessionConfiguration.ClientCertificate, keyPassword: Secret?)
}
