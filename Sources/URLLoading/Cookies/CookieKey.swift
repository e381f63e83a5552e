/// What tells a cookie from others: a second one with the same replaces the first
/// ([RFC 6265 §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3), step 11).
struct CookieKey: Hashable, Sendable {
    let name: ExactText
    let domain: ExactText
    let path: ExactText

    init(_ cookie: HTTPCookie) {
        name = ExactText(cookie.name)
        domain = ExactText(cookie.domain)
        path = ExactText(cookie.path)
    }
}
