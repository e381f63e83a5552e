import URLLoading

/// All bars as rows, as many as the terminal has.
enum BarRows {
    /// The rows, top to bottom; none is as wide as the terminal.
    ///
    /// Where there are more tasks than rows, those that move go first, and the last row sums up the
    /// others.
    static func text(_ bars: [BarFigures], on size: TerminalSize, _ style: BarStyle) -> [String] {
        guard !bars.isEmpty else { return [] }
        var shown = bars
        var rest: [BarFigures] = []
        if bars.count > max(1, size.rows) {
            let places = max(1, size.rows - 1)
            let sorted = bars.filter(\.isActive) + bars.filter { !$0.isActive }
            shown = Array(sorted.prefix(places))
            rest = Array(sorted.dropFirst(places))
        }
        let layout = BarLayout(
            columns: size.columns,
            longestName: shown.map { DisplayWidth.of(style.shown($0.name)) }.max() ?? 0,
            hasLengths: shown.contains { $0.share != nil }
        )
        guard !layout.isEmpty else { return [] }
        var rows = shown.map { layout.row($0, style) }
        if !rest.isEmpty, size.rows > 1 {
            rows.append(
                DisplayWidth.fitted(
                    summary(rest),
                    to: max(0, size.columns - 1),
                    ellipsis: style.ellipsis
                )
            )
        }
        return rows
    }

    /// Such as `and 7 more, 3 of them waiting, 12.3 MiB/s`.
    private static func summary(_ bars: [BarFigures]) -> String {
        var rate = 0.0
        for case .moving(let one?) in bars.map(\.pace) { rate += one }
        let waiting = bars.count { !$0.isActive }
        return "and \(bars.count) more"
            + (waiting > 0 ? ", \(waiting) of them waiting" : "")
            + (rate >= 1 ? ", \(ByteText.compact(Int64(clamping: rate)))/s" : "")
    }
}

extension BarFigures {
    fileprivate var isActive: Bool { pace != .waiting && pace != .offline }
}
