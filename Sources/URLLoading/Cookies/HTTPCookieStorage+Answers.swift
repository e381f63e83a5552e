import FoundationEssentials
import Synchronization

// What sessions bring and take.
extension HTTPCookieStorage {
    /// The value of a request's `Cookie` field; `nil` where it has none.
    func field(for url: URL) -> String? {
        var length = 0
        // Longer ones could make a server refuse the request.
        let fitting = (cookies(for: url) ?? []).prefix(CookieJar.mostInRequest).prefix { cookie in
            length += cookie.name.utf8.count + cookie.value.utf8.count + 3
            return length <= CookieJar.longestField
        }
        return fitting.isEmpty ? nil : HTTPCookie.requestField(Array(fitting))
    }

    /// Takes what an answer has set, as libcurl has understood it.
    ///
    /// - Parameters:
    ///   - lines: of a cookie file.
    ///   - url: what has answered.
    ///   - mainDocument: see ``URLRequest/mainDocumentURL``.
    ///   - policy: the session's.
    func take(
        _ lines: [String],
        from url: URL,
        mainDocument: URL?,
        _ policy: HTTPCookie.AcceptPolicy
    ) {
        guard let place = CookiePlace(url) else { return }
        change { state in
            for policy in [policy, state.policy]
            where !policy.accepts(from: url, mainDocument: mainDocument) { return }
            let now = Date.now
            for line in lines {
                guard
                    case .cookie(let cookie) = HTTPCookie.read(
                        line: line[...],
                        defaultPath: CookieRules.defaultPath(place.path)
                    ),
                    cookie.isFrom(place.host), place.isSecure || !state.jar.shields(cookie)
                else { continue }
                Self.set(cookie.limited(now), &state, now)
            }
        }
    }

    static func set(_ cookie: HTTPCookie, _ state: inout State, _ now: Date) {
        let (hasChanged, evicted) = state.jar.set(cookie, created: now, now)
        guard hasChanged else { return }
        state.changes.note(CookieKey(cookie), cookie.hasExpired(now) ? nil : cookie)
        for gone in evicted { state.changes.note(CookieKey(gone), nil) }
    }
}

extension HTTPCookie {
    /// Whether a host may set it: libcurl has said so, and is held to two things.
    ///
    /// The cookie is for the host itself. And it is not for all hosts of a domain that ends in a dot:
    /// libcurl looks that up among the public suffixes with its dot, where none is found, and `co.uk.`
    /// would be as good as `example.co.uk.`
    /// ([CVE-2026-8924](https://curl.se/docs/CVE-2026-8924.html)).
    fileprivate func isFrom(_ host: String) -> Bool {
        guard isForSubdomains else { return host.utf8.elementsEqual(domain.utf8) }
        return domain.utf8.last != UInt8(ascii: ".") && Self.isHost(host, within: self.host)
    }

    /// The cookie, with no longer life than any has.
    fileprivate func limited(_ now: Date) -> HTTPCookie {
        let latest = now.addingTimeInterval(CookieJar.longestLife)
        guard let expiresDate, expiresDate > latest else { return self }
        return HTTPCookie(
            name: name,
            value: value,
            domain: domain,
            path: path,
            expiresDate: latest,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSitePolicy: sameSitePolicy
        )
    }
}

extension HTTPCookie.AcceptPolicy {
    /// Whether it has cookies kept that came from a URL.
    ///
    /// A main document's own hosts are its host, those below it, and those above it, by their names:
    /// libcurl does not lend us its list of public suffixes, so two hosts side by side are strangers.
    func accepts(from url: URL?, mainDocument: URL?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .onlyFromMainDocumentDomain:
            guard let host = url.flatMap(CookiePlace.init)?.host else { return false }
            // Without a document every request is one.
            guard let mainDocument else { return true }
            guard let document = CookiePlace(mainDocument)?.host else { return false }
            return HTTPCookie.isHost(host, within: document[...])
                || HTTPCookie.isHost(document, within: host[...])
        }
    }
}
