extension URLRequest {
    /// Whether a response may come from the cache, with Foundation's numbers.
    public enum CachePolicy: UInt, Codable, Sendable, Hashable, CaseIterable {
        /// As [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111) has it: what is fresh is served,
        /// what is stale is validated first.
        case useProtocolCachePolicy = 0
        /// From the server, whatever is stored.
        case reloadIgnoringLocalCacheData = 1
        /// What is stored, however old; the network only where nothing is.
        case returnCacheDataElseLoad = 2
        /// What is stored, however old; where nothing is, `cannotLoadFromNetwork`.
        case returnCacheDataDontLoad = 3
        /// From the server, and no cache on the way to it may serve it either.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// What is stored, if the server says that it still holds.
        case reloadRevalidatingCacheData = 5

        /// The same as ``reloadIgnoringLocalCacheData``.
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }
}

extension URLRequest.CachePolicy {
    /// What holds for a request under a session's own policy: the stricter of the two.
    ///
    /// The protocol's is the default of both, and leaves it to the other. Then the more a policy
    /// wants of the server the stricter it is: `returnCacheDataElseLoad`,
    /// `reloadRevalidatingCacheData`, `reloadIgnoringLocalCacheData`,
    /// `reloadIgnoringLocalAndRemoteCacheData`. `returnCacheDataDontLoad` forbids the network,
    /// whatever the other says.
    ///
    /// - Returns: the policy; `nil` where one forbids the network and the other the cache.
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
