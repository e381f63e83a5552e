public import FoundationEssentials

/// A cookie, as Foundation's `HTTPCookie`: an immutable value.
///
/// Two cookies are equal if all their properties are.
public final class HTTPCookie: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, as the server has written it.
    public let value: String
    /// The host that receives the cookie, or, with a leading dot, the domain whose hosts do.
    public let domain: String
    /// The path that receives the cookie, with all paths below it.
    public let path: String
    /// The expiry; `nil`: the end of the session.
    public let expiresDate: Date?
    /// Whether requests send the cookie only over TLS, and to this machine.
    public let isSecure: Bool
    /// Whether the cookie is hidden from scripts; no effect in this library.
    public let isHTTPOnly: Bool
    /// The `SameSite` policy; `nil`: none.
    ///
    /// A server's cookie has none, because libcurl, which parses the cookies of servers, ignores the
    /// attribute. No request of this library comes from another site.
    public let sameSitePolicy: HTTPCookieStringPolicy?

    init(
        name: String,
        value: String,
        domain: String,
        path: String,
        expiresDate: Date?,
        isSecure: Bool,
        isHTTPOnly: Bool,
        sameSitePolicy: HTTPCookieStringPolicy? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expiresDate = expiresDate
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSitePolicy = sameSitePolicy
    }

    /// Whether the cookie ends with the session.
    public var isSessionOnly: Bool { expiresDate == nil }

    /// The version of the cookie's specification: always 0.
    public var version: Int { 0 }

    /// The ports of the cookie; always `nil`: all ports.
    public var portList: [Int]? { nil }

    /// A comment; always `nil`.
    public var comment: String? { nil }

    /// Whether all properties are equal.
    public static func == (one: HTTPCookie, other: HTTPCookie) -> Bool {
        CookieKey(one) == CookieKey(other) && one.value.hasBytes(of: other.value)
            && one.expiresDate == other.expiresDate && one.isSecure == other.isSecure
            && one.isHTTPOnly == other.isHTTPOnly
            && one.sameSitePolicy == other.sameSitePolicy
    }

    /// Hashes the key of the cookie.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(CookieKey(self))
    }
}

extension HTTPCookie {
    /// The cookies that a storage accepts.
    public enum AcceptPolicy: UInt, Codable, Sendable, CaseIterable {
        /// All cookies.
        case always = 0
        /// No cookies.
        case never = 1
        /// Cookies of the main document's hosts: see ``URLRequest/mainDocumentURL``.
        case onlyFromMainDocumentDomain = 2
    }

    /// The field with which a request sends cookies: one `Cookie`, in the given order.
    ///
    /// The caller chooses the cookies for the request; see ``HTTPCookieStorage/cookies(for:)``.
    public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
        cookies.isEmpty ? [:] : ["Cookie": requestField(cookies)]
    }

    /// The value of a `Cookie` field.
    static func requestField(_ cookies: [HTTPCookie]) -> String {
        cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

extension HTTPCookie: CustomStringConvertible {
    /// The name, domain and path, without the secret value.
    public var description: String { "\(name)=(redacted) (\(domain)\(path))" }
}
