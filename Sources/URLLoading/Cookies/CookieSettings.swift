/// What a session does with cookies.
struct CookieSettings: Sendable {
    var storage: HTTPCookieStorage?
    /// Whether the storage was made for ephemeral sessions, and is emptied with the last of them.
    var isEphemeral = false
    var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var areSent = true
}
