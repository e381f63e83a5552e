/// A part of a bar, behind the name; in the order in which they stand.
enum BarPart: CaseIterable {
    case percent
    /// `[====>    ]`, which also grows into what room is left.
    case gauge
    case count
    /// ` of 20.0 MiB`
    case total
    case rate
    case remaining
    case history

    /// What is left out first, second and so on where the terminal is narrow; the name is cut before
    /// anything goes, and goes itself at the very end, before the percentage.
    static let leftOut: [BarPart] = [.total, .history, .gauge, .remaining, .rate, .count]
    /// The same where no task's length is known, and there is neither percentage nor end.
    static let leftOutWithoutLength: [BarPart] = [.history, .gauge, .rate]

    /// Columns, those of the gap before it included.
    var width: Int { gap + ownWidth }

    /// Columns between it and what stands before.
    var gap: Int {
        switch self {
        case .percent, .gauge: 1
        case .total: 0
        case .count, .rate, .remaining, .history: 2
        }
    }

    /// Columns of its own; the gauge's are the fewest it can do with.
    var ownWidth: Int {
        switch self {
        case .percent: 4
        case .gauge: 10
        case .count: ByteText.compactWidth
        case .total: " of ".count + ByteText.compactWidth
        case .rate: ByteText.compactWidth + "/s".count
        case .remaining: "eta ".count + TimeText.width
        case .history: RateHistory.length
        }
    }
}
