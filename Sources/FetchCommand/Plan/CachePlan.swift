/// What is kept of answers, and when that is used.
struct CachePlan: Equatable, Sendable {
    /// When.
    let policy: CacheChoice
    /// Whether no cache on the way may answer either.
    let refusesCaches: Bool
    /// Bytes; nil is the usual, 0 is no cache.
    let size: Int64?
}

extension CachePlan {
    /// Takes the settings over.
    init(_ options: Options) {
        policy = options.refusesCaches ? .reload : options.cachePolicy ?? .protocol
        refusesCaches = options.refusesCaches
        size = options.cacheSize
    }
}
