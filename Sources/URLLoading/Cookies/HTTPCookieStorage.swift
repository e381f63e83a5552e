import Dispatch
public import FoundationEssentials
import Synchronization

/// Cookies, as Foundation's `HTTPCookieStorage`: sessions' own, and those that a program sets.
///
/// libcurl reads what a server sets: the grammar, dates and ages, `__Host-` and `__Secure-`, and
/// what is for TLS only. It also decides, by the public suffix list, for which domains a host may
/// set cookies. A file has neither the age of a cookie nor the host that set it, so cookies of a file
/// count as old.
///
/// A storage may be used by many sessions, and from any thread.
public final class HTTPCookieStorage: Sendable {
    /// The place of cookies that outlive the process.
    enum Place: Sendable {
        case memory
        /// In `cookies.txt` in a folder of this library's, where there is one; it is asked for when
        /// something is read or written.
        case folder(@Sendable () -> String?)
        /// In this file, whose cookies are read first, or are left to the process that wrote them.
        case file(SharedFile, isRead: Bool, keepsSessionCookies: Bool)
    }

    struct State {
        var jar = CookieJar()
        var isRead = false
        /// The changes that are not written yet.
        var changes = StateChanges<CookieKey, HTTPCookie>()
        var policy = HTTPCookie.AcceptPolicy.always
        /// Why cookies cannot be stored.
        var storageError: String?
    }

    /// The default storage of sessions.
    ///
    /// Cookies that outlive the process are in `PROGRAM/cookies.txt` in `XDG_STATE_HOME`, or else
    /// `~/.local/state`, where `PROGRAM` is ``URLSessionConfiguration/programIdentifier``: a
    /// Netscape cookie file that only this user can read. It is read when a first request is made.
    /// It is written a second after something has changed, or when a session or the process ends,
    /// merged with the changes of other processes. If it cannot be written, cookies stay in memory,
    /// without an error.
    public static let shared = HTTPCookieStorage(.folder { UserFolders().state })

    let place: Place
    let state = Mutex(State())
    /// Locked by the caller that reads the file.
    let reading = Mutex(())
    let writeLock = WriteLock()

    init(_ place: Place) {
        self.place = place
        if case .memory = place { state.withLock { $0.isRead = true } }
    }

    /// A storage of its own, in memory only.
    public convenience init() {
        self.init(.memory)
    }

    /// Which cookies are kept, of servers and of ``setCookies(_:for:mainDocumentURL:)``; a session's
    /// ``URLSessionConfiguration/httpCookieAcceptPolicy`` can only be stricter.
    ///
    /// The policy does not affect stored cookies. Default: `always`.
    public var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// All cookies that have not ended, in the order in which they were first set.
    public var cookies: [HTTPCookie]? {
        withState { state in state.jar.cookies(.now) }
    }

    /// The cookies for a request to a URL, in the order in which they are sent: longer paths first, then older
    /// cookies.
    public func cookies(for url: URL) -> [HTTPCookie]? {
        withState { state in
            guard !state.jar.isEmpty, let place = CookiePlace(url) else { return [] }
            return state.jar.cookies(for: place, .now)
        }
    }

    /// Stores a cookie in place of the one with its name, domain and path.
    ///
    /// The caller is trusted, and no policy applies; an expired cookie removes that one.
    public func setCookie(_ cookie: HTTPCookie) {
        change { state in Self.set(cookie, &state, .now) }
    }

    /// Stores cookies, if the policy allows it.
    ///
    /// - Parameters:
    ///   - cookies: those to keep.
    ///   - url: where they came from; `nil`: unknown, which only `always` allows.
    ///   - mainDocumentURL: see ``URLRequest/mainDocumentURL``.
    public func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        change { state in
            guard state.policy.accepts(from: url, mainDocument: mainDocumentURL) else { return }
            for cookie in cookies { Self.set(cookie, &state, .now) }
        }
    }

    /// Removes the cookie with the name, domain and path of this one.
    public func deleteCookie(_ cookie: HTTPCookie) {
        change { state in
            guard let gone = state.jar.remove(CookieKey(cookie)) else { return }
            state.changes.note(CookieKey(gone), nil)
        }
    }

    /// Removes the cookies that were first set at a moment or later.
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

// Used by sessions.
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

    /// Stores the cookies of a response, as libcurl has parsed them.
    ///
    /// - Parameters:
    ///   - lines: of a cookie file.
    ///   - url: the URL of the response.
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
    /// Whether a host may set it, by two checks that libcurl does not make.
    ///
    /// The cookie is for the host itself. And it is not for all hosts of a domain that ends in a
    /// dot. libcurl looks that up among the public suffixes with its dot and finds none, so
    /// `co.uk.` would be as good as `example.co.uk.`
    /// ([CVE-2026-8924](https://curl.se/docs/CVE-2026-8924.html)).
    fileprivate func isFrom(_ host: String) -> Bool {
        guard isForSubdomains else { return host.utf8.elementsEqual(domain.utf8) }
        return domain.utf8.last != UInt8(ascii: ".") && Self.isHost(host, within: self.host)
    }

    /// The cookie, with its lifetime limited.
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
    /// Whether cookies from a URL are stored.
    ///
    /// A main document's own hosts are its host, those below it, and those above it, by their
    /// names. libcurl does not share its list of public suffixes, so sibling hosts count as
    /// foreign.
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
