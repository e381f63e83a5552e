import Synchronization

extension URLSessionConfiguration {
    /// Where cookies are kept, and requests get theirs; `nil`: nowhere, and there are none.
    ///
    /// Default: ``HTTPCookieStorage/shared``; of an ephemeral session, one of its own in memory, which
    /// is emptied when the last session with it has become invalid.
    public var httpCookieStorage: HTTPCookieStorage? {
        get { locked.withLock { $0.cookies.storage } }
        set { locked.withLock { $0.cookies.storage = newValue } }
    }

    /// Which cookies of servers are kept; the storage's own policy counts too, and the stricter wins.
    ///
    /// Default: `onlyFromMainDocumentDomain`.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { locked.withLock { $0.cookies.policy } }
        set { locked.withLock { $0.cookies.policy = newValue } }
    }

    /// Whether requests get the storage's cookies; what servers set is kept in any case.
    ///
    /// A request that has a `Cookie` field of its own gets none. Default: `true`.
    public var httpShouldSetCookies: Bool {
        get { locked.withLock { $0.cookies.areSent } }
        set { locked.withLock { $0.cookies.areSent = newValue } }
    }
}
