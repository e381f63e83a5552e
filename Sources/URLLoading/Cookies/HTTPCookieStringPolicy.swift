/// What a cookie says of requests that other sites cause, as Foundation's `HTTPCookieStringPolicy`.
public struct HTTPCookieStringPolicy: RawRepresentable, Sendable, Hashable {
    /// Sent along where the user goes to the site, and not with what other sites load from it.
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
