/// What becomes of a redirect: `--redirect`.
enum RedirectChoice: String, CaseIterable, Sendable {
    case follow
    /// Only to the same scheme, host and port.
    case sameOrigin = "same-origin"
    /// The 3xx response is the answer.
    case none
}
