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
    ///
    /// Unless a flag says otherwise the server is always asked, so that a run depends on its command
    /// line and the server, and not on earlier runs.
    init(_ options: Options) {
        let usual: CacheChoice = Self.reportsRequest(options) ? .reload : .revalidate
        policy = options.refusesCaches ? .reload : options.cachePolicy ?? usual
        refusesCaches = options.refusesCaches
        size = options.cacheSize
    }

    /// Whether the run is about the request itself: a 304 would give its time and its bytes in the
    /// place of the response's.
    private static func reportsRequest(_ options: Options) -> Bool {
        options.head || options.method == .head || options.dumpHeader != nil
            || options.writeOut != nil || options.har != nil
            || options.output == .path("/dev/null")
    }
}
