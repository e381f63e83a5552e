import URLLoading

extension CachePlan {
    /// Has a session's configuration follow the plan.
    func apply(to configuration: URLSessionConfiguration) {
        configuration.requestCachePolicy = requestPolicy
        guard let size else { return }
        if size == 0 {
            configuration.urlCache = nil
        } else if let cache = configuration.urlCache, cache.diskCapacity > 0 {
            cache.diskCapacity = Int(clamping: size)
        } else {
            configuration.urlCache?.memoryCapacity = Int(clamping: size)
        }
    }

    private var requestPolicy: URLRequest.CachePolicy {
        switch policy {
        case .protocol: .useProtocolCachePolicy
        case .reload:
            refusesCaches
                ? .reloadIgnoringLocalAndRemoteCacheData : .reloadIgnoringLocalCacheData
        case .revalidate: .reloadRevalidatingCacheData
        case .preferCache: .returnCacheDataElseLoad
        case .onlyCache: .returnCacheDataDontLoad
        }
    }
}
