import URLLoading

extension URLSessionConfiguration {
    /// Keeps cookies as a plan says; for the session that is going to be run, and for no other, since
    /// what was loaded is in the storage then.
    func keepCookies(_ plan: CookiePlan) {
        switch plan.storage {
        case .none: httpCookieStorage = nil
        case .memory: httpCookieStorage = HTTPCookieStorage()
        case .session(let session): httpCookieStorage = session.cookieStorage()
        case .file(let path, let isRead, let keepsSessionCookies):
            httpCookieStorage = HTTPCookieStorage(
                path: path,
                isRead: isRead,
                keepsSessionCookies: keepsSessionCookies
            )
        }
        if !plan.loaded.isEmpty { httpCookieStorage?.add(plan.loaded) }
    }
}
