import FoundationEssentials

/// A set of cookies, in the order in which they were first set.
struct CookieJar: Sendable {
    /// The most cookies of one domain; the oldest are evicted first.
    ///
    /// 180 as in Chromium; 3000 in all, the minimum of RFC 6265 §6.1.
    static let maximumPerDomain = 180
    static let most = 3_000
    /// The longest lifetime of a cookie, 400 days (RFC 6265bis §5.6.2).
    static let maximumLife: TimeInterval = 400 * 86_400
    /// The limits of a request, as in libcurl: the number of cookies, and the length of the field in bytes.
    static let maximumInRequest = 150
    static let maximumFieldLength = 8_190

    private struct Entry: Sendable {
        var cookie: HTTPCookie
        let created: Date
    }

    private var entries: [Entry] = []
    private var places: [CookieKey: Int] = [:]
    /// The number of cookies of each domain.
    private var counts: [ExactText: Int] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The cookies that have not expired.
    func cookies(_ now: Date) -> [HTTPCookie] {
        entries.map(\.cookie).filter { !$0.hasExpired(now) }
    }

    /// The cookies for a request: longer paths first, then older cookies ([RFC 6265
    /// §5.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.4)).
    func cookies(for place: CookiePlace, _ now: Date) -> [HTTPCookie] {
        let found = entries.map(\.cookie).filter { $0.matches(place) && !$0.hasExpired(now) }
        guard found.count > 1 else { return found }
        return found.enumerated().sorted { one, other in
            let lengths = (one.element.path.utf8.count, other.element.path.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : one.offset < other.offset
        }.map(\.element)
    }

    /// Adds cookies, or replaces those with the same key and keeps their age; an expired cookie only
    /// removes.
    @discardableResult
    mutating func set(
        _ cookies: [HTTPCookie],
        created: Date,
        _ now: Date
    ) -> (changed: [HTTPCookie], evicted: [HTTPCookie]) {
        let changed = cookies.filter { add($0, created: created, now) }
        return (changed, makeRoom(Set(changed.map { ExactText($0.host) }), now))
    }

    /// Adds a cookie without a limit; returns whether the jar has changed.
    private mutating func add(_ cookie: HTTPCookie, created: Date, _ now: Date) -> Bool {
        let key = CookieKey(cookie)
        guard !cookie.hasExpired(now) else { return remove(key) != nil }
        if let place = places[key] {
            guard entries[place].cookie != cookie else { return false }
            entries[place].cookie = cookie
            return true
        }
        places[key] = entries.count
        entries.append(Entry(cookie: cookie, created: created))
        counts[ExactText(cookie.host), default: 0] += 1
        return true
    }

    /// Whether a cookie from plain HTTP would shadow a secure one (RFC 6265bis §5.7).
    func wouldShadowSecure(_ cookie: HTTPCookie) -> Bool {
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

    /// Removes the cookies that were first set since a date.
    mutating func remove(since date: Date) -> [HTTPCookie] {
        let gone = entries.filter { $0.created >= date }.map(\.cookie)
        let places = Set(entries.indices.filter { entries[$0].created >= date })
        if !places.isEmpty { removeAll(places.contains) }
        return gone
    }

    /// Evicts cookies of these domains, and then of all.
    private mutating func makeRoom(_ domains: Set<ExactText>, _ now: Date) -> [HTTPCookie] {
        var victims: Set<Int> = []
        let full = domains.filter { counts[$0, default: 0] > Self.maximumPerDomain }
        if !full.isEmpty {
            let alike = Dictionary(grouping: entries.indices) { ExactText(entries[$0].cookie.host) }
            for domain in full {
                victims.formUnion(surplus(alike[domain] ?? [], Self.maximumPerDomain, now))
            }
        }
        if entries.count - victims.count > Self.most {
            let others = entries.indices.filter { !victims.contains($0) }
            victims.formUnion(surplus(others, Self.most, now))
        }
        guard !victims.isEmpty else { return [] }
        let gone = victims.sorted().map { entries[$0].cookie }
        removeAll(victims.contains)
        return gone
    }

    /// The places to evict above a limit: those of expired cookies, then of the oldest, and last of `Secure` ones.
    ///
    /// Otherwise a server without TLS could displace a `Secure` cookie, and then set one of its name ([RFC 6265bis
    /// §5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)).
    private func surplus(_ places: [Int], _ limit: Int, _ now: Date) -> [Int] {
        guard places.count > limit else { return [] }
        let expired = places.filter { entries[$0].cookie.hasExpired(now) }
        let live = places.filter { !entries[$0].cookie.hasExpired(now) }
        let secure = live.filter { entries[$0].cookie.isSecure }
        let order = live.filter { !entries[$0].cookie.isSecure } + secure
        return expired + order.prefix(max(0, live.count - limit))
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

/// The key of a cookie: a second cookie with the same key replaces the first ([RFC 6265
/// §5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3), step 11).
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
