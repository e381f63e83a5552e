import Dispatch
public import FoundationEssentials
import Synchronization

/// Cookies, as Foundation's `HTTPCookieStorage`: those of sessions, and of whoever sets them.
///
/// What a server sets is read by libcurl: the grammar, dates and ages, `__Host-` and `__Secure-`,
/// what is for TLS only, and which domains a host may speak for, by the public suffix list. Neither
/// the age of a cookie nor a name's owner can be had of a file: what was read of one counts as old.
///
/// A storage may be used by many sessions, and from any thread.
public final class HTTPCookieStorage: Sendable {
    /// Where cookies are that outlive the process.
    enum Place: Sendable {
        case memory
        /// In `cookies.txt` in a folder of this library's, where there is one; it is asked for when
        /// something is read or written.
        case folder(@Sendable () -> String?)
        /// In this file, whose cookies are read first, or are left to whoever wrote them.
        case file(SharedFile, isRead: Bool, keepsSessionCookies: Bool)
    }

    struct State {
        var jar = CookieJar()
        var isRead = false
        /// What is still to be written.
        var changes = StateChanges<CookieKey, HTTPCookie>()
        var policy = HTTPCookie.AcceptPolicy.always
        /// Why cookies are not kept as they should be.
        var trouble: String?
    }

    /// The storage of sessions that have no other.
    ///
    /// What outlives the process is in `PROGRAM/cookies.txt` in `XDG_STATE_HOME`, or else
    /// `~/.local/state`, where `PROGRAM` is ``URLSessionConfiguration/programIdentifier``: a Netscape cookie file that only this user can read. It is read when a first
    /// request is made, and written a second after something has changed, or when a session or the
    /// process ends, with what other processes have changed meanwhile. Where it cannot be, cookies
    /// are in memory, and nothing fails.
    public static let shared = HTTPCookieStorage(.folder { UserFolders().state })

    let place: Place
    let state = Mutex(State())
    /// Held by the one who reads the file.
    let reading = Mutex(())
    let turn = WriteTurn()

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
    /// What is there is sent whatever the policy is. Default: `always`.
    public var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// All cookies that have not ended, in the order in which they were first set.
    public var cookies: [HTTPCookie]? {
        withState { state in state.jar.cookies(.now) }
    }

    /// The cookies that go with a request for a URL, in the order in which they are sent: longer paths
    /// first, then the older.
    public func cookies(for url: URL) -> [HTTPCookie]? {
        withState { state in
            guard !state.jar.isEmpty, let place = CookiePlace(url) else { return [] }
            return state.jar.cookies(for: place, .now)
        }
    }

    /// Keeps a cookie in the place of the one with its name, domain and path.
    ///
    /// The caller is trusted, and no policy asked; one that has ended takes that away.
    public func setCookie(_ cookie: HTTPCookie) {
        change { state in Self.set(cookie, &state, .now) }
    }

    /// Keeps cookies, if the policy allows it.
    ///
    /// - Parameters:
    ///   - cookies: those to keep.
    ///   - url: where they came from; `nil`: nobody knows, which only `always` allows.
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
    /// Keeps cookies for a task, as `setCookies` does for the URL of its request.
    public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
        let request = task.currentRequest
        setCookies(cookies, for: request?.url, mainDocumentURL: request?.mainDocumentURL)
    }

    /// Finds the cookies for a task's request, and hands them to the handler on the delegate queue.
    public func getCookiesFor(
        _ task: URLSessionTask,
        completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
    ) {
        task.session.queue.async {
            completionHandler(task.currentRequest?.url.flatMap { self.cookies(for: $0) })
        }
    }
}
