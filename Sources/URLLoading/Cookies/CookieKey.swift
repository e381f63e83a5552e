/// What tells a cookie from others: a second one with the same replaces the first
/// ([RFC 6265 §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3), step 11).
struct CookieKey: Hashable, Sendable {
    let name: String
    let domain: String
    let path: String

    init(_ cookie: HTTPCookie) {
        name = cookie.name
        domain = cookie.domain
        path = cookie.path
    }
}
