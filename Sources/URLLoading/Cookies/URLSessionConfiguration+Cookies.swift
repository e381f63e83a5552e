extension URLSessionConfiguration {
    /// Where cookies are kept, and requests get theirs; `nil`: nowhere, and there are none.
    ///
    /// Default: ``HTTPCookieStorage/shared``; of an ephemeral session, one of its own in memory, which
    /// is emptied when the last session with it has become invalid.
    public var httpCookieStorage: HTTPCookieStorage? {
        get { settings.cookies.storage }
        set { settings.cookies.storage = newValue }
    }

    /// Which cookies of servers are kept; the storage's own policy counts too, and the stricter wins.
    ///
    /// Default: `onlyFromMainDocumentDomain`.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { settings.cookies.policy }
        set { settings.cookies.policy = newValue }
    }

    /// Whether requests get the storage's cookies; what servers set is kept in any case.
    ///
    /// A request that has a `Cookie` field of its own gets none. Default: `true`.
    public var httpShouldSetCookies: Bool {
        get { settings.cookies.areSent }
        set { settings.cookies.areSent = newValue }
    }
}
