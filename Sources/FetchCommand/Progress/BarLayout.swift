import URLLoading

/// The layout of bars for a number of columns; the same for all bars, so that they align.
struct BarLayout: Equatable {
    /// The least columns of a name, if it needs them, while a part can be omitted.
    private static let shortestName = 10
    /// The least columns of a name beside the last part.
    private static let stump = 4
    /// The most columns of a name or a gauge.
    private static let longestName = 60
    private static let longestGauge = 40

    /// In their order.
    let parts: [BarPart]
    /// Columns of the name; 0 for none.
    let name: Int
    /// Columns of the gauge, its brackets included.
    let gauge: Int

    /// - Parameters:
    ///   - columns: the terminal's; the last one stays empty, since some break the line there.
    ///   - longestName: columns of the longest name.
    ///   - hasLengths: whether the length of any of the bodies is known.
    init(columns: Int, longestName: Int, hasLengths: Bool) {
        let room = max(0, columns - 1)
        var parts: [BarPart] =
            hasLengths
            ? BarPart.allCases
            : BarPart.allCases.filter { BarPart.leftOutWithoutLength.contains($0) || $0 == .count }
        func needed() -> Int { parts.reduce(0) { $0 + $1.width } }
        let least = min(longestName, Self.shortestName)
        for part in hasLengths ? BarPart.leftOut : BarPart.leftOutWithoutLength {
            if least + needed() <= room { break }
            parts.removeAll { $0 == part }
        }
        var name = min(longestName, Self.longestName, room - needed())
        if name < min(longestName, Self.stump) {
            name = 0
            if (parts.first?.ownWidth ?? 0) > room { parts = [] }
        }
        self.name = name
        self.parts = parts
        let spare = room - name - needed()
        gauge = min(Self.longestGauge, BarPart.gauge.ownWidth + max(0, spare))
    }

    /// Whether nothing fits.
    var isEmpty: Bool { parts.isEmpty && name == 0 }
}

/// A part of a bar, behind the name; in their order.
enum BarPart: CaseIterable {
    case percent
    /// ]`, which also grows into what room is left. => `[====>    ]`, which also gets the remaining
    /// columns.=>    ]`, which also grows into what room is left.
    case gauge
    case count
    /// ` of 20.0 MiB`
    case total
    case rate
    case remaining
    case history

    /// The order in which parts are omitted on a narrow terminal.
    ///
    /// The name is cut first, and is omitted last, before the percentage.
    static let leftOut: [BarPart] = [.total, .history, .gauge, .remaining, .rate, .count]
    /// The same where no task's length is known, and there is neither percentage nor end.
    static let leftOutWithoutLength: [BarPart] = [.history, .gauge, .rate]

    /// Columns, those of the gap before it included.
    var width: Int { gap + ownWidth }

    /// Columns before it.
    var gap: Int {
        switch self {
        case .percent, .gauge: 1
        case .total: 0
        case .count, .rate, .remaining, .history: 2
        }
    }

    /// Its own columns; for the gauge, its least.
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

extension BarLayout {
    /// One bar as one row, no wider than the layout.
    func row(_ state: BarState, _ style: BarStyle) -> String {
        var row = name > 0 ? nameText(state.name, style) : ""
        for part in parts {
            if name > 0 || part != parts.first { row += Self.blank(part.gap) }
            row += text(part, state, style)
        }
        return row
    }

    private func nameText(_ name: String, _ style: BarStyle) -> String {
        let fitted = DisplayWidth.fitted(
            style.shown(name),
            to: self.name,
            ellipsis: style.ellipsis
        )
        guard fitted.utf8.allSatisfy({ $0 < 0x80 }) else {
            // The terminal may use another width, so a cursor movement places what follows.
            return fitted + "\u{1b}[K\r\u{1b}[\(self.name)C"
        }
        return fitted + Self.blank(self.name - DisplayWidth.of(fitted))
    }

    private func text(_ part: BarPart, _ state: BarState, _ style: BarStyle) -> String {
        let width = part.ownWidth
        switch part {
        case .percent:
            return Self.right(state.share.map { "\(Int(clamping: $0 * 100))%" } ?? "", width)
        case .gauge:
            return gaugeText(state, style)
        case .count:
            return Self.right(ByteText.compact(state.count), width)
        case .total:
            return Self.left(state.total.map { " of \(ByteText.compact($0))" } ?? "", width)
        case .rate:
            switch state.pace {
            case .waiting: return style.colored(Self.right("waiting", width), .yellow)
            case .offline: return style.colored(Self.right("no network", width), .yellow)
            case .stalled: return style.colored(Self.right("stalled", width), .yellow)
            case .moving(let rate):
                let text = rate.map { "\(ByteText.compact(Int64(clamping: $0)))/s" } ?? ""
                return Self.right(text, width)
            }
        case .remaining:
            let time = state.remaining.flatMap(TimeText.short)
            return Self.left(time.map { "eta \($0)" } ?? "", width)
        case .history:
            let line = sparkline(state.history, style)
            return style.colored(line, .cyan) + Self.blank(width - line.count)
        }
    }

    private func gaugeText(_ state: BarState, _ style: BarStyle) -> String {
        let inner = gauge - 2
        let text: String
        if let share = state.share {
            let filled = min(inner, max(0, Int(clamping: share * Double(inner))))
            let tip = filled < inner && filled > 0 ? ">" : ""
            let line = String(repeating: "=", count: filled - (tip.isEmpty ? 0 : 1))
            text = Self.left(line + tip, inner)
        } else {
            // Moves back and forth, one column each time that bytes arrive.
            let marker = "<=>"
            let places = inner - marker.count
            let step = state.steps % (2 * places)
            text = Self.left(Self.blank(step < places ? step : 2 * places - step) + marker, inner)
        }
        return "[" + style.colored(text, .green) + "]"
    }

    /// A column for each second, as high as it was fast against the fastest of them.
    private func sparkline(_ rates: [Double], _ style: BarStyle) -> String {
        let rates = rates.suffix(RateHistory.length)
        guard let fastest = rates.max(), fastest > 0 else { return "" }
        let levels = style.levels
        return String(
            rates.map {
                levels[min(levels.count - 1, Int(clamping: $0 / fastest * Double(levels.count)))]
            }
        )
    }

    private static func blank(_ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns))
    }

    private static func left(_ text: String, _ columns: Int) -> String {
        text + blank(columns - text.count)
    }

    private static func right(_ text: String, _ columns: Int) -> String {
        blank(columns - text.count) + text
    }
}

/// The characters and colours of a bar.
struct BarStyle: Equatable, Sendable {
    /// Whether letters beyond ASCII may be used.
    let isUTF8: Bool
    let hasColor: Bool

    /// From slow to fast.
    var levels: [Character] { Array(isUTF8 ? "▁▂▃▄▅▆▇█" : "_.:-=+*#") }

    /// The sign for the omitted part of a name.
    var ellipsis: String { isUTF8 ? "…" : ".." }

    /// One of the terminal's own colours, which its user can choose.
    enum Color: Int {
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    func colored(_ text: String, _ color: Color) -> String {
        hasColor && !text.isEmpty ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// A name as the terminal can show it.
    func shown(_ name: String) -> String {
        guard !isUTF8 else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }
}
