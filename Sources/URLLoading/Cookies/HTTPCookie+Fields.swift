public import FoundationEssentials

// Cookies of a response's header that a program reads itself.
extension HTTPCookie {
    /// The cookies that a response sets.
    ///
    /// They are read by
    /// [RFC 6265 §5.2 and §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.2): one for another host than
    /// the URL's is left out, and so is a `Secure` one of a plain URL, or one whose `__Host-` or `__Secure-`
    /// does not hold, or one for a public suffix such as `co.uk`.
    ///
    /// - Parameters:
    ///   - headerFields: of the response, `Set-Cookie` in any case among them; several in one value stand
    ///     behind commas.
    ///   - url: what has sent it.
    /// - Returns: the cookies in their order; none where the URL is none of HTTP's.
    public class func cookies(
        withResponseHeaderFields headerFields: [String: String],
        for url: URL
    ) -> [HTTPCookie] {
        cookies(withResponseHeaderFields: HTTPHeaderFields(headerFields), for: url)
    }

    /// The same, of a response's ``HTTPURLResponse/allHeaderFields``.
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

/// One value of `Set-Cookie`, taken apart.
private struct SetCookieField {
    private var name = ""
    private var value = ""
    /// By names in lower case; of several the last counts.
    private var attributes: [String: String] = [:]

    /// Several values in one, apart: a comma stands between two where a name and `=` follow it, which no
    /// date has.
    static func split(_ text: String) -> [Substring.UTF8View] {
        var fields: [Substring.UTF8View] = []
        var start = text.utf8.startIndex
        for comma in text.utf8.indices where text.utf8[comma] == UInt8(ascii: ",") {
            let next = text.utf8.index(after: comma)
            let rest = text.utf8[next...].drop { $0 == 0x20 || $0 == 0x09 }
            let name = rest.prefix { HTTPSyntax.isTokenByte($0) }
            guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: "=") else {
                continue
            }
            fields.append(text.utf8[start..<comma])
            start = next
        }
        return fields + [text.utf8[start...]]
    }

    init(_ text: Substring.UTF8View) {
        for (number, part) in text.split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        ).enumerated() {
            let key = part.prefix { $0 != UInt8(ascii: "=") }
            let rest = part.dropFirst(key.count + 1)
            let (left, right) = (Self.text(key), Self.text(rest))
            if number > 0 {
                attributes[left.asciiLowercased] = right
            } else if key.count < part.count {
                (name, value) = (left, right)
            }
        }
    }

    private static func text(_ bytes: Substring.UTF8View) -> String {
        let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let last = trimmed.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return last.map { String(Substring(trimmed[...$0])) } ?? ""
    }

    /// The cookie; `nil` where it is none, or the host may not set it.
    func cookie(from place: CookiePlace, _ now: Date) -> HTTPCookie? {
        guard HTTPCookie.isName(name), HTTPCookie.isValue(value), let domain = domain(place) else {
            return nil
        }
        let isSecure = attributes["secure"] != nil
        let ownPath = attributes["path"].flatMap { $0.startsWithBytes(of: "/") ? $0 : nil }
        guard !isSecure || place.isSecure, HTTPCookie.isValue(ownPath ?? "/") else { return nil }
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
            path: ownPath ?? Self.defaultPath(place.path),
            expiresDate: end(now),
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
        guard HTTPCookie.isDomain(host), host.utf8.last != UInt8(ascii: "."),
            HTTPCookie.isHost(place.host, within: host[...])
        else { return nil }
        // An address, and a name of one label, speak for themselves alone.
        let isAlone = IPAddress(host) != nil || !host.utf8.contains(UInt8(ascii: "."))
        return isAlone ? (host.hasBytes(of: place.host) ? host : nil) : "." + host
    }

    /// When it ends; a time that has passed takes the cookie away, as `Max-Age` below one does.
    private func end(_ now: Date) -> Date? {
        if let age = attributes["max-age"], let first = age.utf8.first,
            first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
        {
            let digits = age.utf8.dropFirst(first == UInt8(ascii: "-") ? 1 : 0)
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }), !digits.isEmpty else {
                return nil
            }
            guard first != UInt8(ascii: "-") else { return .distantPast }
            let seconds = Int(age) ?? .max
            guard seconds > 0 else { return .distantPast }
            return now.addingTimeInterval(min(TimeInterval(seconds), CookieJar.longestLife))
        }
        return attributes["expires"].flatMap { HTTPDate.seconds($0) }.map {
            Date(timeIntervalSince1970: TimeInterval($0))
        }
    }

    /// The path of a URL up to its last slash
    /// ([RFC 6265 §5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4)).
    private static func defaultPath(_ path: String) -> String {
        let last = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex
        return last == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<last]))
    }
}
