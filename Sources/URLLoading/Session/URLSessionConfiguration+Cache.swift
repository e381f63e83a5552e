import Synchronization

extension URLSessionConfiguration {
    /// Where data tasks look for answers, and keep them; `nil`: nowhere.
    ///
    /// Default: ``URLCache/shared``; of an ephemeral session, one of its own in memory, of 32 MiB.
    public var urlCache: URLCache? {
        get { locked.withLock { $0.urlCache } }
        set { locked.withLock { $0.urlCache = newValue } }
    }

    /// Whether answers may come from the cache.
    ///
    /// A request may be stricter, never laxer: but for `useProtocolCachePolicy`, which is the
    /// default and leaves it to the other side, the policy holds that wants more of the server, in
    /// this order: `returnCacheDataElseLoad`, `reloadRevalidatingCacheData`,
    /// `reloadIgnoringLocalCacheData`, `reloadIgnoringLocalAndRemoteCacheData`. Where either side
    /// says `returnCacheDataDontLoad` the network is not used.
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { locked.withLock { $0.requestCachePolicy } }
        set { locked.withLock { $0.requestCachePolicy = newValue } }
    }
}

extension URLCache {
    /// A cache for one session, gone with it.
    static var inMemory: URLCache { URLCache(memoryCapacity: 32 << 20, diskCapacity: 0) }
}
