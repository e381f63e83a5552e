public import FoundationEssentials

// Parsing cookies from a response's header, for programs that read the header themselves.
extension HTTPCookie {
    /// The cookies that a response sets.
    ///
    /// The fields are parsed by [RFC 6265 §5.2 and
    /// §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.2). Left out are cookies for another host
    /// than the URL's, for a public suffix such as `co.uk`, and `Secure` cookies of a plain URL.
    /// Cookies that violate the rules of their `__Host-` or `__Secure-` prefix are also left out.
    ///
    /// - Parameters:
    ///   - headerFields: the response's fields, with `Set-Cookie` in any case; commas separate several
    ///     cookies in one value.
    ///   - url: the response's URL.
    /// - Returns: the cookies in order; none where the URL is not HTTP.
    public class func cookies(
        withResponseHeaderFields headerFields: [String: String],
        for url: URL
    ) -> [HTTPCookie] {
        cookies(withResponseHeaderFields: HTTPHeaderFields(headerFields), for: url)
    }

    /// The same, from ``HTTPURLResponse/allHeaderFields``.
    public class func cookies(
        withResponseHeaderFields headerFields: HTTPHeaderFields,
        for url: URL
    ) -> [HTTPCookie] {
        guard let place = CookiePlace(url) else { return [] }
        return headerFields.fields
            .filter { HTTPHeaderFields.areSame($0.name, "Set-Cookie") }
            .flatMap { SetCookieField.split($0.value) }
            .compactMap { SetCookieField($0).cookie(from: place, .now) }
            .filter { !$0.isForPublicSuffix }
    }
}

extension SetCookieField {
    /// The cookie; `nil` where it is invalid, or the host may not set it.
    func cookie(from place: CookiePlace, _ now: Date) -> HTTPCookie? {
        guard CookieRules.isName(name), CookieRules.isValue(value), let domain = domain(place)
        else {
            return nil
        }
        let isSecure = attributes["secure"] != nil
        let ownPath = attributes["path"].flatMap { $0.startsWithBytes(of: "/") ? $0 : nil }
        guard !isSecure || place.isSecure, CookieRules.isValue(ownPath ?? "/") else { return nil }
        let lowered = name.asciiLowercased
        if lowered.startsWithBytes(of: "__secure-"), !isSecure { return nil }
        if lowered.startsWithBytes(of: "__host-") {
            guard isSecure, ownPath?.hasBytes(of: "/") == true, (attributes["domain"] ?? "").isEmpty
            else { return nil }
        }
        return HTTPCookie(
            name: name,
            value: value,
            domain: domain,
            path: ownPath ?? CookieRules.defaultPath(place.path),
            expiresDate: end(now, longestLife: CookieJar.maximumLife),
            isSecure: isSecure,
            isHTTPOnly: attributes["httponly"] != nil,
            sameSitePolicy: attributes["samesite"].flatMap { text in
                let policy = text.asciiLowercased
                return ["lax", "strict"].contains(policy)
                    ? HTTPCookieStringPolicy(rawValue: policy) : nil
            }
        )
    }

    private func domain(_ place: CookiePlace) -> String? {
        let own = (attributes["domain"] ?? "").asciiLowercased
        let named = own.droppingBytes(of: ".") ?? own[...]
        guard !named.isEmpty else { return place.host }
        let host = String(named)
        guard CookieRules.isDomain(host), host.utf8.last != UInt8(ascii: "."),
            HTTPCookie.isHost(place.host, within: host[...])
        else { return nil }
        // An address, or a name of one label, can only set cookies for itself.
        let isAlone = IPAddress(host) != nil || !host.utf8.contains(UInt8(ascii: "."))
        return isAlone ? (host.hasBytes(of: place.host) ? host : nil) : "." + host
    }
}
