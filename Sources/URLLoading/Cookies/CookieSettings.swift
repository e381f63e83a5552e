/// What a session does with cookies.
struct CookieSettings: Sendable {
    var storage: HTTPCookieStorage?
    var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var areSent = true
}
