import FoundationEssentials
import Synchronization

// A hop's cookies: those of the request, and those that its response sets, including redirects and
// challenges.
extension URLSessionTask {
    /// Adds the cookies of the URL to a request, unless the caller's own `Cookie` field replaces them.
    func addCookies(to prepared: inout PreparedRequest, _ request: URLRequest) {
        let own = prepared.values("Cookie")
        guard session.settings.cookies.areSent,
            own.isEmpty || session.settings.transport.addsStoredCookies,
            let storage = cookieStorage(prepared, request), let url = request.url,
            let field = storage.field(for: url)
        else { return }
        // One field contains all cookies (RFC 6265 §5.4).
        let all = ([field] + own).joined(separator: "; ")
        prepared.replace(by: [HTTPHeaderFields.Field(name: "Cookie", value: all)])
    }

    /// Whether the session stores the cookies of the response.
    func readsCookies(_ prepared: PreparedRequest, _ request: URLRequest) -> Bool {
        session.settings.cookies.policy != .never && cookieStorage(prepared, request) != nil
    }

    /// Stores the cookies of a response.
    func keepCookies(_ head: HopHead, _ request: URLRequest) {
        guard !head.cookies.isEmpty, let url = request.url else { return }
        session.settings.cookies.storage?.take(
            head.cookies,
            from: url,
            mainDocument: request.mainDocumentURL,
            session.settings.cookies.policy
        )
    }

    /// The storage; `nil` where the caller has disabled cookies.
    ///
    /// Also `nil` for a request with another `Host`: libcurl would attribute the response's cookies to
    /// that host, and their true owner is unknown.
    private func cookieStorage(
        _ prepared: PreparedRequest,
        _ request: URLRequest
    ) -> HTTPCookieStorage? {
        guard request.httpShouldHandleCookies, let storage = session.settings.cookies.storage
        else { return nil }
        guard let own = prepared.fields.first(where: { HTTPHeaderFields.areSame($0.name, "Host") })
        else { return storage }
        let named = URL(string: "http://\(own.value)").flatMap(Origin.init)
        return named?.host == request.url.flatMap(Origin.init)?.host ? storage : nil
    }
}

extension URLSessionConfiguration {
    /// The storage for the cookies of servers and requests; `nil`: no cookies.
    ///
    /// Default: ``HTTPCookieStorage/shared``; for an ephemeral session, its own storage in memory,
    /// which is emptied when the last session with it becomes invalid.
    public var httpCookieStorage: HTTPCookieStorage? {
        get { locked.withLock { $0.cookies.storage } }
        set { locked.withLock { $0.cookies.storage = newValue } }
    }

    /// The cookies of servers that the session stores; of this and the storage's own policy the stricter one
    /// applies.
    ///
    /// Default: `onlyFromMainDocumentDomain`.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { locked.withLock { $0.cookies.policy } }
        set { locked.withLock { $0.cookies.policy = newValue } }
    }

    /// Whether requests send the storage's cookies; the session always stores the cookies of servers.
    ///
    /// A request with its own `Cookie` field sends none. Default: `true`.
    public var httpShouldSetCookies: Bool {
        get { locked.withLock { $0.cookies.areSent } }
        set { locked.withLock { $0.cookies.areSent = newValue } }
    }
}

/// A session's cookie settings.
package struct CookieSettings: Sendable {
    var storage: HTTPCookieStorage?
    package var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var areSent = true
}
