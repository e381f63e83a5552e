/// What becomes of a server after it has shown its certificates.
enum TrustAnswer: Sendable, Hashable {
    /// What the platform says.
    case byVerdict
    /// It is trusted.
    case accept
    /// It is not.
    case refuse
}
