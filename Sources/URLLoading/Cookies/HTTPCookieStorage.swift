public import FoundationEssentials
import Synchronization

/// Cookies, as Foundation's `HTTPCookieStorage`: those of servers, and those that a program sets.
///
/// libcurl parses the cookies of servers: the grammar, dates and ages, `__Host-` and `__Secure-`, and
/// `Secure`. By the public suffix list it also decides for which domains a host may set cookies. A file
/// contains neither the age of a cookie nor the host that set it, so cookies of a file count as old.
///
/// Many sessions may use a storage, from any thread.
public final class HTTPCookieStorage: Sendable {
    /// The place for cookies that outlive the process.
    enum Place: Sendable {
        case memory
        /// In `cookies.txt` in a folder of this library, if one exists; each read or write calls the
        /// closure.
        case folder(@Sendable () -> String?)
        /// In this file. The storage reads its cookies first, or only preserves them.
        case file(SharedFile, isRead: Bool, keepsSessionCookies: Bool)
    }

    struct State {
        var jar = CookieJar()
        var isRead = false
        /// The unwritten changes.
        var changes = StateChanges<CookieKey, HTTPCookie>()
        /// Whether the next write creates a missing file even without a cookie.
        var needsFile = false
        var policy = HTTPCookie.AcceptPolicy.always
        /// The reason why the storage cannot store cookies.
        var storageError: String?
        /// The reason why the last write failed.
        var writeError: String?
    }

    /// The default storage of sessions.
    ///
    /// Cookies that outlive the process are in `PROGRAM/cookies.txt` in `XDG_STATE_HOME`, or else
    /// `~/.local/state`, where `PROGRAM` is ``URLSessionConfiguration/programIdentifier``: a Netscape cookie
    /// file that only this user can read. The storage reads the file before the first request. It writes the
    /// file a second after a change, and when a session or the process ends, merged with the changes of
    /// other processes. If that fails, cookies stay in memory, without an error.
    public static let shared = HTTPCookieStorage(.folder { UserFolders().state })

    let place: Place
    let state = Mutex(State())
    /// Locked while a thread reads the file.
    let reading = Mutex(())
    let writeLock = WriteLock()

    init(_ place: Place) {
        self.place = place
        if case .memory = place { state.withLock { $0.isRead = true } }
    }

    /// Creates a storage in memory.
    public convenience init() {
        self.init(.memory)
    }

    /// The cookies that the storage accepts, of servers and of ``setCookies(_:for:mainDocumentURL:)``; a
    /// session's ``URLSessionConfiguration/httpCookieAcceptPolicy`` can only be stricter.
    ///
    /// The policy does not affect stored cookies. Default: `always`.
    public var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// All cookies that have not expired, in the order in which they were first set.
    public var cookies: [HTTPCookie]? {
        withState { state in state.jar.cookies(.now) }
    }

    /// The cookies for a request to a URL, in the order in which the request sends them: longer paths first,
    /// then older cookies.
    public func cookies(for url: URL) -> [HTTPCookie]? {
        withState { state in
            guard !state.jar.isEmpty, let place = CookiePlace(url) else { return [] }
            return state.jar.cookies(for: place, .now)
        }
    }

    /// Stores a cookie, and replaces the one with the same name, domain and path.
    ///
    /// The caller is trusted, and no policy applies; an expired cookie only removes the stored one.
    public func setCookie(_ cookie: HTTPCookie) {
        add([cookie])
    }

    /// Stores cookies, if the policy allows it.
    ///
    /// - Parameters:
    ///   - cookies: the cookies to store.
    ///   - url: the URL that set the cookies; `nil`: unknown, which only `always` accepts.
    ///   - mainDocumentURL: see ``URLRequest/mainDocumentURL``.
    public func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        change { state in
            guard state.policy.accepts(from: url, mainDocument: mainDocumentURL) else { return }
            Self.set(cookies, &state, .now)
        }
    }

    /// Removes the cookie with the same name, domain and path.
    public func deleteCookie(_ cookie: HTTPCookie) {
        change { state in
            guard let gone = state.jar.remove(CookieKey(cookie)) else { return }
            state.changes.note(CookieKey(gone), nil)
        }
    }

    /// Removes the cookies that were first set since a date.
    public func removeCookies(since date: Date) {
        change { state in
            for gone in state.jar.remove(since: date) { state.changes.note(CookieKey(gone), nil) }
        }
    }
}

extension HTTPCookieStorage {
    /// Stores cookies for a task, as `setCookies` does for the URL of its request.
    public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
        let request = task.currentRequest
        setCookies(cookies, for: request?.url, mainDocumentURL: request?.mainDocumentURL)
    }

    /// Finds the cookies for a task's request, and calls the handler with them on the delegate queue.
    public func getCookiesFor(
        _ task: URLSessionTask,
        completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
    ) {
        task.session.queue.async {
            completionHandler(task.currentRequest?.url.flatMap { self.cookies(for: $0) })
        }
    }
}

// Methods for sessions.
extension HTTPCookieStorage {
    /// The value of a request's `Cookie` field; `nil`: none.
    func field(for url: URL) -> String? {
        var length = 0
        // A server may refuse a request with a longer field.
        let fitting = (cookies(for: url) ?? []).prefix(CookieJar.maximumInRequest).prefix {
            cookie in
            length += cookie.name.utf8.count + cookie.value.utf8.count + 3
            return length <= CookieJar.maximumFieldLength
        }
        return fitting.isEmpty ? nil : HTTPCookie.requestField(Array(fitting))
    }

    /// Stores the cookies of a response, which libcurl has parsed into lines of a cookie file.
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
                    cookie.isFrom(place.host),
                    place.isSecure || !state.jar.wouldShadowSecure(cookie)
                else { continue }
                // libcurl lets a host that is itself a public suffix set cookies for all hosts below it.
                let isSuffix = cookie.isForPublicSuffix
                guard !isSuffix || cookie.host.utf8.elementsEqual(place.host.utf8) else { continue }
                Self.set([cookie.limited(now, forHost: isSuffix)], &state, now)
            }
        }
    }

    static func set(_ cookies: [HTTPCookie], _ state: inout State, _ now: Date) {
        let (changed, evicted) = state.jar.set(cookies, created: now, now)
        for cookie in changed {
            state.changes.note(CookieKey(cookie), cookie.hasExpired(now) ? nil : cookie)
        }
        for gone in evicted { state.changes.note(CookieKey(gone), nil) }
    }
}

extension HTTPCookie {
    /// Whether a host may set the cookie, by two checks that libcurl does not make.
    ///
    /// The cookie is for the host itself, or for a domain that does not end in a dot. libcurl looks the
    /// domain up among the public suffixes with its dot and finds none, so it would accept `co.uk.` like
    /// `example.co.uk.` ([CVE-2026-8924](https://curl.se/docs/CVE-2026-8924.html)).
    fileprivate func isFrom(_ host: String) -> Bool {
        guard isForSubdomains else { return host.utf8.elementsEqual(domain.utf8) }
        return domain.utf8.last != UInt8(ascii: ".") && Self.isHost(host, within: self.host)
    }

    /// The cookie with its lifetime limited, perhaps for its host alone.
    fileprivate func limited(_ now: Date, forHost isForHost: Bool) -> HTTPCookie {
        let latest = now.addingTimeInterval(CookieJar.maximumLife)
        let isLong = expiresDate.map { $0 > latest } ?? false
        guard isLong || isForHost else { return self }
        return HTTPCookie(
            name: name,
            value: value,
            domain: isForHost ? String(host) : domain,
            path: path,
            expiresDate: isLong ? latest : expiresDate,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSitePolicy: sameSitePolicy
        )
    }
}

extension HTTPCookie.AcceptPolicy {
    /// Whether the storage accepts cookies from a URL.
    ///
    /// The main document's own hosts are its host, and by their names those below and above it. libcurl
    /// does not share its list of public suffixes, so sibling hosts count as foreign.
    func accepts(from url: URL?, mainDocument: URL?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .onlyFromMainDocumentDomain:
            guard let host = url.flatMap(CookiePlace.init)?.host else { return false }
            // Without a document every request counts as one.
            guard let mainDocument else { return true }
            guard let document = CookiePlace(mainDocument)?.host else { return false }
            return HTTPCookie.isHost(host, within: document[...])
                || HTTPCookie.isHost(document, within: host[...])
        }
    }
}
