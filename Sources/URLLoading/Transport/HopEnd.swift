import FoundationEssentials

/// How a hop ended.
struct HopEnd: Sendable {
    /// What went wrong; `nil`: the answer came whole.
    var error: URLError?
    /// The body, where it was collected.
    var collected: Data?
    /// The body's file, where it was written to one.
    var file: PartFile?
}
