import FoundationEssentials

extension HTTPCookie {
    /// Makes a cookie of its properties; `nil` where one that must be there is not, or could not be
    /// sent: a control character, a `;`, a name with `=` in it.
    ///
    /// The caller is trusted: nothing is compared with a list of public suffixes.
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
