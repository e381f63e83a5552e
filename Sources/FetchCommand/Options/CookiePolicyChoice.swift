/// Which cookies of servers are kept: `--cookie-policy`.
enum CookiePolicyChoice: String, CaseIterable, Sendable {
    case always
    case never
    /// Those of the URL's own hosts.
    case mainDocument = "main-document"
}
