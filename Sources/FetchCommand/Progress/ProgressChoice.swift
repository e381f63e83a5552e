/// How progress is shown: `--progress`.
enum ProgressChoice: String, CaseIterable, Sendable {
    /// A bar for each task, redrawn in place.
    case bar
    /// Lines at intervals.
    case lines
    case none
}

extension ProgressChoice {
    /// Parses fetch's words, and wget's `dot` and `bar` with their styles, as in `dot:giga`.
    init(_ value: FlagValue) throws(UsageError) {
        switch value.text.prefix(while: { $0 != ":" }) {
        case "dot": self = .lines
        case "bar": self = .bar
        default: self = try value.choice()
        }
    }
}
