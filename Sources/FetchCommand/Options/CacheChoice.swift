/// When an answer may come from the cache: `--cache-policy`.
enum CacheChoice: String, CaseIterable, Sendable {
    /// As servers say.
    case `protocol`
    /// Never.
    case reload
    /// When the server says that it still holds.
    case revalidate
    /// Whenever there is one, however old.
    case preferCache = "prefer-cache"
    /// Nothing else.
    case onlyCache = "only-cache"
}
