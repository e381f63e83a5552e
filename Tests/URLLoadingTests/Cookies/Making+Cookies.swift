import FoundationEssentials

@testable import URLLoading

/// A cookie of example.com by default.
func cookie(
    _ name: String,
    _ value: String = "1",
    domain: String = "example.com",
    path: String = "/",
    expires: TimeInterval? = nil,
    isSecure: Bool = false
) -> HTTPCookie {
    HTTPCookie(
        name: name,
        value: value,
        domain: domain,
        path: path,
        expiresDate: expires.map { Date(timeIntervalSince1970: $0) },
        isSecure: isSecure,
        isHTTPOnly: false
    )
}

/// A moment in the far future: 2100-01-01.
let farAhead: TimeInterval = 4_102_444_800

extension HTTPCookieStorage {
    /// Names and values of the cookies for a URL, in their order.
    func pairs(_ text: String) -> [String] {
        (URL(string: text).flatMap { cookies(for: $0) } ?? []).map { "\($0.name)=\($0.value)" }
    }

    /// The names of all cookies, in their order.
    var names: [String] { (cookies ?? []).map(\.name) }
}
