import FoundationEssentials

/// Cookies in the order in which they were first set, each once.
struct CookieJar: Sendable {
    /// The largest number for one domain; the oldest cookies are evicted first.
    ///
    /// Chromium's 180, and the 3000 that RFC 6265 §6.1 asks for at least.
    static let mostPerDomain = 180
    static let most = 3_000
    /// A server is not remembered for longer than 400 days (RFC 6265bis §5.6.2).
    static let longestLife: TimeInterval = 400 * 86_400
    /// The limits of a request, as in libcurl: cookies, and bytes of its field.
    static let mostInRequest = 150
    static let longestField = 8_190

    private struct Entry: Sendable {
        var cookie: HTTPCookie
        let created: Date
    }

    private var entries: [Entry] = []
    private var places: [CookieKey: Int] = [:]
    /// How many there are of a domain.
    private var counts: [ExactText: Int] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Those that have not ended.
    func cookies(_ now: Date) -> [HTTPCookie] {
        entries.map(\.cookie).filter { !$0.hasExpired(now) }
    }

    /// Those that go with a request: longer paths first, then the older
    /// ([RFC 6265 §5.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.4)).
    func cookies(for place: CookiePlace, _ now: Date) -> [HTTPCookie] {
        let found = entries.map(\.cookie).filter { $0.matches(place) && !$0.hasExpired(now) }
        guard found.count > 1 else { return found }
        return found.enumerated().sorted { one, other in
            let lengths = (one.element.path.utf8.count, other.element.path.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : one.offset < other.offset
        }.map(\.element)
    }

    /// Adds a cookie in place of the one with its key, whose age it gets; an expired one removes that.
    ///
    /// - Returns: whether anything has changed, and the evicted cookies.
    mutating func set(
        _ cookie: HTTPCookie,
        created: Date,
        _ now: Date
    ) -> (hasChanged: Bool, evicted: [HTTPCookie]) {
        let key = CookieKey(cookie)
        guard !cookie.hasExpired(now) else { return (remove(key) != nil, []) }
        if let place = places[key] {
            guard entries[place].cookie != cookie else { return (false, []) }
            entries[place].cookie = cookie
            return (true, [])
        }
        places[key] = entries.count
        entries.append(Entry(cookie: cookie, created: created))
        counts[ExactText(cookie.host), default: 0] += 1
        return (true, makeRoom(beside: cookie, now))
    }

    /// Whether a cookie that was set over plain HTTP would hide one that is for TLS only
    /// (RFC 6265bis §5.7).
    func shields(_ cookie: HTTPCookie) -> Bool {
        guard !cookie.isSecure else { return false }
        return entries.contains { entry in
            let own = entry.cookie
            return own.isSecure && own.name.hasBytes(of: cookie.name)
                && (HTTPCookie.isHost(String(own.host), within: cookie.host)
                    || HTTPCookie.isHost(String(cookie.host), within: own.host))
                && CookieRules.isPath(cookie.path, within: own.path)
        }
    }

    /// Removes the cookie of a key.
    @discardableResult
    mutating func remove(_ key: CookieKey) -> HTTPCookie? {
        guard let place = places[key] else { return nil }
        let cookie = entries[place].cookie
        removeAll { $0 == place }
        return cookie
    }

    /// Removes those that were first set at a moment or later.
    mutating func remove(since date: Date) -> [HTTPCookie] {
        let gone = entries.filter { $0.created >= date }.map(\.cookie)
        let places = Set(entries.indices.filter { entries[$0].created >= date })
        if !places.isEmpty { removeAll(places.contains) }
        return gone
    }

    private mutating func makeRoom(beside cookie: HTTPCookie, _ now: Date) -> [HTTPCookie] {
        var gone: [HTTPCookie] = []
        if counts[ExactText(cookie.host), default: 0] > Self.mostPerDomain {
            let alike = entries.indices.filter { entries[$0].cookie.host.hasBytes(of: cookie.host) }
            gone += evict(among: alike, now)
        }
        if entries.count > Self.most { gone += evict(among: Array(entries.indices), now) }
        return gone
    }

    /// Removes expired cookies, or else the oldest one.
    private mutating func evict(among places: [Int], _ now: Date) -> [HTTPCookie] {
        var victims = Set(places.filter { entries[$0].cookie.hasExpired(now) })
        if victims.isEmpty, let oldest = places.first { victims = [oldest] }
        let gone = victims.map { entries[$0].cookie }
        removeAll(victims.contains)
        return gone
    }

    private mutating func removeAll(_ isGone: (Int) -> Bool) {
        entries = entries.indices.filter { !isGone($0) }.map { entries[$0] }
        places = [:]
        counts = [:]
        for (place, entry) in entries.enumerated() {
            places[CookieKey(entry.cookie)] = place
            counts[ExactText(entry.cookie.host), default: 0] += 1
        }
    }
}

/// What identifies a cookie: a second one with the same replaces the first
/// ([RFC 6265 §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3), step 11).
struct CookieKey: Hashable, Sendable {
    let name: ExactText
    let domain: ExactText
    let path: ExactText

    init(_ cookie: HTTPCookie) {
        name = ExactText(cookie.name)
        domain = ExactText(cookie.domain)
        path = ExactText(cookie.path)
    }
}
