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
    /// The URL whose host it is for, where there is no domain: a `URL` or a `String`.
    public static let originURL = HTTPCookiePropertyKey(rawValue: "OriginURL")
    /// When it ends: a `Date`, or a `String` as HTTP has dates.
    public static let expires = HTTPCookiePropertyKey(rawValue: "Expires")
    /// In how many seconds it ends: a `String` or an `Int`; it goes before `expires`.
    public static let maximumAge = HTTPCookiePropertyKey(rawValue: "Max-Age")
    /// Whether it ends with the session, whatever else is said: `"TRUE"`, or a `Bool`.
    public static let discard = HTTPCookiePropertyKey(rawValue: "Discard")
    /// Whether it is sent over TLS only: `"TRUE"`, or a `Bool`.
    public static let secure = HTTPCookiePropertyKey(rawValue: "Secure")
    /// Whether scripts are not to see it: `"TRUE"`, or a `Bool`.
    ///
    /// Foundation reads it, and has no constant for it.
    public static let httpOnly = HTTPCookiePropertyKey(rawValue: "HttpOnly")
    /// What is said of requests that other sites cause: an `HTTPCookieStringPolicy`, or a `String`.
    public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
    /// The version: passed over.
    public static let version = HTTPCookiePropertyKey(rawValue: "Version")
    /// Words about it: passed over.
    public static let comment = HTTPCookiePropertyKey(rawValue: "Comment")
    /// A URL with words about it: passed over.
    public static let commentURL = HTTPCookiePropertyKey(rawValue: "CommentURL")
    /// The ports it is sent to: passed over.
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
