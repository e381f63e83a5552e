extension URLCache {
    /// Where an answer may be kept, with Foundation's numbers.
    public enum StoragePolicy: UInt, Sendable, Hashable {
        /// Anywhere.
        case allowed = 0
        /// Not on disk.
        case allowedInMemoryOnly = 1
        /// Nowhere.
        case notAllowed = 2
    }
}
