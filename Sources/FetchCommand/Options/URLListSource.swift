/// Where a list of URLs comes from.
enum URLListSource: Equatable, Sendable {
    case file(String)
    /// `-`
    case standardInput
}
