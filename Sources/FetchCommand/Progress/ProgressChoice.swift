/// How progress is shown: `--progress`.
enum ProgressChoice: String, CaseIterable, Sendable {
    /// A bar for each task, redrawn in place.
    case bar
    /// A line now and then.
    case lines
    case none
}

extension ProgressChoice {
    /// Reads a word of ours, or wget's `dot` and `bar` with their styles, as in `dot:giga`.
    init(_ value: FlagValue) throws(UsageError) {
        switch value.text.prefix(while: { $0 != ":" }) {
        case "dot": self = .lines
        case "bar": self = .bar
        default: self = try value.choice(ProgressChoice.self)
        }
    }
}
