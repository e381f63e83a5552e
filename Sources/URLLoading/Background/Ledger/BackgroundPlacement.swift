/// A file on its way to where it belongs.
struct BackgroundPlacement: Codable, Hashable, Sendable {
    /// What is moved.
    var file: BackgroundFile
    /// Where to, an absolute path.
    var target: String
    /// The number at its end, where the name without one was taken; else 0.
    var number = 0
    /// Whether what is there is replaced.
    var replaces: Bool
    var response: StoredResponse?
}

extension BackgroundPlacement {
    /// No folder has as many files of one name.
    static let lastNumber = 1 << 30

    /// The same, where somebody has put a number into the journal that cannot be counted on from.
    var bounded: BackgroundPlacement {
        var placement = self
        placement.number = min(max(0, number), Self.lastNumber)
        return placement
    }
}
