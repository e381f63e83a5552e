/// What a session does with cookies.
package struct CookieSettings: Sendable {
    var storage: HTTPCookieStorage?
    package var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var areSent = true
}
