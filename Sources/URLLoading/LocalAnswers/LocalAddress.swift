import FoundationEssentials

/// The schemes of what this machine has itself.
enum LocalAddress: String {
    case data
    case file

    /// `nil` where the URL's scheme is another.
    init?(_ url: URL) {
        guard let scheme = url.scheme, scheme.utf8.count == 4 else { return nil }
        self.init(rawValue: scheme.lowercased())
    }
}
