import URLLoading

/// Which `.netrc` is looked into.
enum NetrcChoice: Equatable, Sendable {
    case none
    /// The user's own, read when the first server asks.
    case usual
    /// The one that the command line names, which was read.
    case named(path: String, NetrcFile.Content)
}
