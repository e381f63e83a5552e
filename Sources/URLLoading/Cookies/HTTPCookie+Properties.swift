import FoundationEssentials

extension HTTPCookie {
    /// Makes a cookie of its properties; `nil` where a required one is missing or could not be
    /// sent.
    ///
    /// A control character, a `;`, or a name with `=` in it cannot be sent.
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

    /// Makes a cookie of its properties, as `init(properties:)` does.
    public class func cookie(with properties: [HTTPCookiePropertyKey: Any]) -> HTTPCookie? {
        HTTPCookie(properties: properties)
    }

    /// The properties, from which the same cookie can be made.
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
            ?? text.flatMap { HTTPDate.seconds($0) }.map {
                Date(timeIntervalSince1970: TimeInterval($0))
            }
    }

    private static func isTrue(_ value: Any?) -> Bool {
        value as? Bool ?? (value as? String).map { $0.asciiLowercased == "true" } ?? false
    }
}

/// The keys of a cookie's properties, as Foundation's `HTTPCookiePropertyKey`.
public struct HTTPCookiePropertyKey: RawRepresentable, Sendable, Hashable {
    /// The name, a `String`; it must be there.
    public static let name = HTTPCookiePropertyKey(rawValue: "Name")
    /// The value, a `String`; it must be there.
    public static let value = HTTPCookiePropertyKey(rawValue: "Value")
    /// The path, a `String`; it must be there.
    public static let path = HTTPCookiePropertyKey(rawValue: "Path")
    /// The domain, a `String`: with a dot before it for all of its hosts; it or the origin's URL must
    /// be there.
    public static let domain = HTTPCookiePropertyKey(rawValue: "Domain")
    /// The URL whose host it is for, without a domain: a `URL` or a `String`.
    public static let originURL = HTTPCookiePropertyKey(rawValue: "OriginURL")
    /// When it ends: a `Date`, or a `String` as HTTP has dates.
    public static let expires = HTTPCookiePropertyKey(rawValue: "Expires")
    /// In how many seconds it ends: a `String` or an `Int`; it goes before `expires`.
    public static let maximumAge = HTTPCookiePropertyKey(rawValue: "Max-Age")
    /// Whether it ends with the session, whatever the other properties say: `"TRUE"`, or a `Bool`.
    public static let discard = HTTPCookiePropertyKey(rawValue: "Discard")
    /// Whether it is sent over TLS only: `"TRUE"`, or a `Bool`.
    public static let secure = HTTPCookiePropertyKey(rawValue: "Secure")
    /// Whether scripts are not to see it: `"TRUE"`, or a `Bool`.
    ///
    /// Foundation reads it, and has no constant for it.
    public static let httpOnly = HTTPCookiePropertyKey(rawValue: "HttpOnly")
    /// The `SameSite` policy: an `HTTPCookieStringPolicy`, or a `String`.
    public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
    /// The version: ignored.
    public static let version = HTTPCookiePropertyKey(rawValue: "Version")
    /// A comment: ignored.
    public static let comment = HTTPCookiePropertyKey(rawValue: "Comment")
    /// A URL with a comment: ignored.
    public static let commentURL = HTTPCookiePropertyKey(rawValue: "CommentURL")
    /// The ports it is sent to: ignored.
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
    /// Sent with the site's own requests only.
    public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")

    /// The word.
    public let rawValue: String

    /// A policy by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
