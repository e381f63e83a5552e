/// How progress is shown: `--progress`.
enum ProgressChoice: String, CaseIterable, Sendable {
    /// A bar for each task, redrawn in place.
    case bar
    /// A line now and then.
    case lines
    case none
}
