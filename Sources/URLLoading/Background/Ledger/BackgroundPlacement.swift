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
