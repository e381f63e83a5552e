import FoundationEssentials

@testable import URLLoading

// Cookie files, and the file of HSTS hosts.
extension FuzzTarget {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static let cookies = [
        // The first line is the path of a request.
        FuzzTarget("cookie-file") { input in
            let content = CookieFile.read(Data(input.bytes))
            var jar = CookieJar()
            for cookie in content.cookies {
                checkField(cookie)
                jar.set([cookie], created: now, now)
                _ = jar.wouldShadowSecure(cookie)
            }
            for place in places(for: input.lines[0], content.cookies) {
                for cookie in jar.cookies(for: place, now) { checkMatch(cookie, place) }
            }
            rewrite(input.bytes, content)
        },
        FuzzTarget("cookie-path") { input in
            let lines = input.lines
            let (path, other) = (lines[0], lines.last ?? "")
            let isWithin = CookieRules.isPath(path, within: other)
            let isPrefix = path.utf8.starts(with: other.utf8)
            check(!isWithin || isPrefix, "a path within another begins with it, byte for byte")
            if HTTPCookie.isHost(path, within: other[...]) {
                let isSuffix = path.utf8.reversed().starts(with: other.utf8.reversed())
                check(isSuffix, "a host within a domain ends with it, byte for byte")
            }
        },
        FuzzTarget("hsts-file") { input in
            let content = HSTSFile.read(Data(input.bytes))
            _ = content.hosts.covers("a.h.example", 1_800_000_000)
            guard content.invalidLine == nil, let name = HSTSHosts.name("new.example") else {
                return
            }
            let policy = HSTSHosts.Policy(end: nil, includesSubdomains: true)
            let merged = try? HSTSFile.merged(
                Data(input.bytes),
                path: "hsts",
                changes(name, policy),
                1_800_000_000
            )
            guard let merged else { return }
            let again = HSTSFile.read(merged)
            check(again.invalidLine == nil, "a file of ours can be read")
            check(again.hosts[name] == policy, "a change is in it")
            for (host, policy) in content.hosts.policies
            where !policy.hasEnded(1_800_000_000) && host != name {
                check(again.hosts[host] == policy, "what holds stays: \(host)")
            }
        },
    ]

    private static func changes<Key: Hashable & Sendable, Value: Sendable>(
        _ key: Key,
        _ value: Value
    ) -> StateChanges<Key, Value> {
        var changes = StateChanges<Key, Value>()
        changes.note(key, value)
        return changes
    }

    private static func places(for path: String, _ cookies: [HTTPCookie]) -> [CookiePlace] {
        cookies.prefix(4).compactMap { cookie in
            URL(string: "https://\(cookie.host)\(path.hasPrefix("/") ? path : cookie.path)")
                .flatMap(CookiePlace.init)
        }
    }

    private static func checkField(_ cookie: HTTPCookie) {
        let isClean = !"\(cookie.name)=\(cookie.value)".utf8.contains {
            $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";")
        }
        check(isClean, "a cookie can be sent")
        check(cookie.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
    }

    private static func checkMatch(_ cookie: HTTPCookie, _ place: CookiePlace) {
        check(place.path.utf8.starts(with: cookie.path.utf8), "a cookie is for its path alone")
        let isOwn = place.host.utf8.reversed().starts(with: cookie.host.utf8.reversed())
        check(isOwn, "a cookie is for its host alone")
    }

    private static func rewrite(_ bytes: [UInt8], _ content: CookieFile.Content) {
        guard !content.cookies.isEmpty else { return }
        let own = HTTPCookie(
            name: "a",
            value: "b",
            domain: ".own.example",
            path: "/",
            expiresDate: nil,
            isSecure: false,
            isHTTPOnly: false
        )
        let merged = try? CookieFile.merged(
            Data(bytes),
            path: "cookies",
            changes(CookieKey(own), own),
            now,
            keepsSessionCookies: true
        )
        guard let merged else { return }
        let again = CookieFile.read(merged)
        check(again.isCookieFile, "a file of ours can be read")
        check(
            again.invalidLines.map(\.bytes) == content.invalidLines.map(\.bytes),
            "no line is lost"
        )
        check(again.cookies.contains(own), "a change is in it")
    }
}
