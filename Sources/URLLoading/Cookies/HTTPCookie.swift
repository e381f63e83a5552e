public import FoundationEssentials

/// One cookie, as Foundation's `HTTPCookie`: a value that never changes.
///
/// Two cookies are equal if all their properties are.
public final class HTTPCookie: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, as the server has written it.
    public let value: String
    /// Where it is sent: to a host by its name, or, with a dot before it, to that domain's hosts.
    public let domain: String
    /// Where on those hosts it is sent: to this path and what is below it.
    public let path: String
    /// When it ends; `nil`: with the session.
    public let expiresDate: Date?
    /// Whether it is sent over TLS only, and to this machine itself.
    public let isSecure: Bool
    /// Whether scripts of web pages must not see it; this library ignores that.
    public let isHTTPOnly: Bool
    /// The `SameSite` policy; `nil`: none.
    ///
    /// libcurl, which reads the cookies of servers, ignores it, so a server's cookie has none. No request of
    /// this library comes from another site.
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

    /// Whether it ends with the session.
    public var isSessionOnly: Bool { expiresDate == nil }

    /// The version of the cookie's specification: always 0.
    public var version: Int { 0 }

    /// The ports it is sent to; always `nil`: all of them.
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

    /// Hashes what identifies a cookie.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(CookieKey(self))
    }
}

extension HTTPCookie {
    /// Which cookies are kept.
    public enum AcceptPolicy: UInt, Codable, Sendable, CaseIterable {
        /// All.
        case always = 0
        /// None.
        case never = 1
        /// Those of the main document's own hosts: see ``URLRequest/mainDocumentURL``.
        case onlyFromMainDocumentDomain = 2
    }

    /// The fields by which a request sends cookies: one `Cookie`, in the order given.
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
    /// Name, domain and path; the value is secret.
    public var description: String { "\(name)=(redacted) (\(domain)\(path))" }
}
