extension URLRequest {
    /// Whether a response may come from the cache, with Foundation's numbers.
    public enum CachePolicy: UInt, Codable, Sendable, Hashable, CaseIterable {
        /// By [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111): the cache serves a fresh response, and
        /// first validates a stale one.
        case useProtocolCachePolicy = 0
        /// Load from the server, and ignore stored responses.
        case reloadIgnoringLocalCacheData = 1
        /// Serve a stored response of any age; load from the server only if there is none.
        case returnCacheDataElseLoad = 2
        /// Serve a stored response of any age; if there is none, fail with `cannotLoadFromNetwork`.
        case returnCacheDataDontLoad = 3
        /// Load from the server, and forbid caches on the way to serve the response.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// Serve a stored response, if the server confirms it.
        case reloadRevalidatingCacheData = 5

        /// The same as ``reloadIgnoringLocalCacheData``.
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }
}

extension URLRequest.CachePolicy {
    /// The stricter of a request's and a session's policy; `nil` where one forbids the network and the
    /// other the cache.
    ///
    /// `useProtocolCachePolicy` is the default of both, and leaves the choice to the other. Of the others
    /// the strictness increases in this order: `returnCacheDataElseLoad`, `reloadRevalidatingCacheData`,
    /// `reloadIgnoringLocalCacheData`, `reloadIgnoringLocalAndRemoteCacheData`. `returnCacheDataDontLoad`
    /// always forbids the network.
    func underSession(_ session: Self) -> Self? {
        if self == .useProtocolCachePolicy || self == session { return session }
        if session == .useProtocolCachePolicy { return self }
        if self == .returnCacheDataDontLoad || session == .returnCacheDataDontLoad {
            let other = self == .returnCacheDataDontLoad ? session : self
            return other == .returnCacheDataElseLoad ? .returnCacheDataDontLoad : nil
        }
        return strictness > session.strictness ? self : session
    }

    private var strictness: Int {
        switch self {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: 0
        case .reloadRevalidatingCacheData: 1
        case .reloadIgnoringLocalCacheData: 2
        case .reloadIgnoringLocalAndRemoteCacheData: 3
        }
    }
}
