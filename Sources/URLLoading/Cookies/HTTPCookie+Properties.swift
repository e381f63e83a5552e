import FoundationEssentials

extension HTTPCookie {
    /// Creates a cookie from its properties; `nil` if a required property is missing, or a request cannot
    /// send it.
    ///
    /// A request cannot send a control character, a `;`, or a `=` in the name.
    ///
    /// The caller is trusted: the domain may be a public suffix.
    public convenience init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let name = properties[.name] as? String, let value = properties[.value] as? String,
            let path = properties[.path] as? String, CookieRules.isName(name),
            CookieRules.isValue(value),
            CookieRules.isValue(path), path.startsWithBytes(of: "/"),
            let domain = Self.domain(properties)
        else { return nil }
        let policy = properties[.sameSitePolicy]
        self.init(
            name: name,
            value: value,
            domain: domain,
            path: path,
            expiresDate: Self.isTrue(properties[.discard]) ? nil : Self.end(properties),
            isSecure: Self.isTrue(properties[.secure]),
            isHTTPOnly: Self.isTrue(properties[.httpOnly]),
            sameSitePolicy: policy as? HTTPCookieStringPolicy
                ?? (policy as? String).map { HTTPCookieStringPolicy(rawValue: $0.lowercased()) }
        )
    }

    /// Creates a cookie from its properties, as `init(properties:)`.
    public class func cookie(with properties: [HTTPCookiePropertyKey: Any]) -> HTTPCookie? {
        HTTPCookie(properties: properties)
    }

    /// The properties, from which a program can create the same cookie.
    public var properties: [HTTPCookiePropertyKey: Any]? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path, .version: "0",
        ]
        if let expiresDate { properties[.expires] = expiresDate }
        if isSessionOnly { properties[.discard] = "TRUE" }
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[.httpOnly] = "TRUE" }
        if let sameSitePolicy { properties[.sameSitePolicy] = sameSitePolicy.rawValue }
        return properties
    }

    private static func domain(_ properties: [HTTPCookiePropertyKey: Any]) -> String? {
        let origin =
            properties[.originURL] as? URL
            ?? (properties[.originURL] as? String).flatMap { URL(string: $0) }
        let domain = (properties[.domain] as? String ?? origin?.host())?.asciiLowercased
        guard let domain, CookieRules.isDomain(domain) else { return nil }
        return domain
    }

    private static func end(_ properties: [HTTPCookiePropertyKey: Any]) -> Date? {
        let age = properties[.maximumAge]
        if let seconds = age as? Int ?? (age as? String).flatMap({ Int($0) }) {
            return Date(timeIntervalSinceNow: TimeInterval(seconds))
        }
        let text = properties[.expires] as? String
        return properties[.expires] as? Date
            ?? text.flatMap { CookieDate.seconds($0) }.map {
                Date(timeIntervalSince1970: TimeInterval($0))
            }
    }

    private static func isTrue(_ value: Any?) -> Bool {
        value as? Bool ?? (value as? String).map { $0.asciiLowercased == "true" } ?? false
    }
}

/// The keys of a cookie's properties, as Foundation's `HTTPCookiePropertyKey`.
public struct HTTPCookiePropertyKey: RawRepresentable, Sendable, Hashable {
    /// The name, a `String`; required.
    public static let name = HTTPCookiePropertyKey(rawValue: "Name")
    /// The value, a `String`; required.
    public static let value = HTTPCookiePropertyKey(rawValue: "Value")
    /// The path, a `String`; required.
    public static let path = HTTPCookiePropertyKey(rawValue: "Path")
    /// The domain, a `String`, with a leading dot for all of its hosts; a cookie needs the domain or the
    /// origin's URL.
    public static let domain = HTTPCookiePropertyKey(rawValue: "Domain")
    /// The URL whose host the cookie is for, if there is no domain: a `URL` or a `String`.
    public static let originURL = HTTPCookiePropertyKey(rawValue: "OriginURL")
    /// The expiry: a `Date`, or a `String` in HTTP's date format.
    public static let expires = HTTPCookiePropertyKey(rawValue: "Expires")
    /// The lifetime in seconds, a `String` or an `Int`; it has precedence over `expires`.
    public static let maximumAge = HTTPCookiePropertyKey(rawValue: "Max-Age")
    /// Whether the cookie ends with the session, regardless of the other properties: `"TRUE"`, or a `Bool`.
    public static let discard = HTTPCookiePropertyKey(rawValue: "Discard")
    /// Whether requests send the cookie only over TLS: `"TRUE"`, or a `Bool`.
    public static let secure = HTTPCookiePropertyKey(rawValue: "Secure")
    /// Whether the cookie is hidden from scripts: `"TRUE"`, or a `Bool`.
    ///
    /// Foundation reads this property, but has no constant for it.
    public static let httpOnly = HTTPCookiePropertyKey(rawValue: "HttpOnly")
    /// The `SameSite` policy: an `HTTPCookieStringPolicy`, or a `String`.
    public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
    /// The version: ignored.
    public static let version = HTTPCookiePropertyKey(rawValue: "Version")
    /// A comment: ignored.
    public static let comment = HTTPCookiePropertyKey(rawValue: "Comment")
    /// A URL with a comment: ignored.
    public static let commentURL = HTTPCookiePropertyKey(rawValue: "CommentURL")
    /// The ports of the cookie: ignored.
    public static let port = HTTPCookiePropertyKey(rawValue: "Port")

    /// The key's text.
    public let rawValue: String

    /// A key by its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A key by its text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The `SameSite` policy of a cookie, as Foundation's `HTTPCookieStringPolicy`.
public struct HTTPCookieStringPolicy: RawRepresentable, Sendable, Hashable {
    /// Sent when the user navigates to the site, but not with requests of other sites.
    public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")
    /// Sent only with the site's own requests.
    public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")

    /// The word of the policy.
    public let rawValue: String

    /// A policy by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
