import URLLoading

/// The layout of all bars for a terminal's width, so that the bars align.
struct BarLayout: Equatable {
    /// The minimum width of a longer name, while other parts can be omitted.
    private static let shortestName = 10
    /// The minimum width of a name beside the last part.
    private static let narrowestName = 4
    /// The maximum width of a name and of a gauge, in columns.
    private static let maximumNameWidth = 60
    private static let maximumGaugeWidth = 40

    /// In the order of display.
    let parts: [BarPart]
    /// Width of the name in columns; 0: no name.
    let name: Int
    /// Width of the gauge in columns, with its brackets.
    let gauge: Int

    /// The terminal's last column stays empty, as some terminals wrap there.
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
        var name = min(longestName, Self.maximumNameWidth, room - needed())
        if name < min(longestName, Self.narrowestName) {
            name = 0
            if (parts.first?.ownWidth ?? 0) > room { parts = [] }
        }
        self.name = name
        self.parts = parts
        let spare = room - name - needed()
        gauge = min(Self.maximumGaugeWidth, BarPart.gauge.ownWidth + max(0, spare))
    }

    /// Whether the terminal is too narrow for any part.
    var isEmpty: Bool { parts.isEmpty && name == 0 }
}

/// A part of a bar after the name, in the order of display.
enum BarPart: CaseIterable {
    case percent
    /// ` [====>    ]`, which also gets the remaining columns.
    case gauge
    case count
    /// ` of 20.0 MiB`
    case total
    case rate
    case remaining
    case history

    /// The order in which parts are omitted on a narrow terminal.
    ///
    /// The name is shortened before any part is omitted; only the percentage outlasts the name.
    static let leftOut: [BarPart] = [.total, .history, .gauge, .remaining, .rate, .count]
    /// The same if no body's length is known, so that there is neither percentage nor total.
    static let leftOutWithoutLength: [BarPart] = [.history, .gauge, .rate]

    /// Width in columns, with the gap before the part.
    var width: Int { gap + ownWidth }

    /// Width of the gap before the part, in columns.
    var gap: Int {
        switch self {
        case .percent, .gauge: 1
        case .total: 0
        case .count, .rate, .remaining, .history: 2
        }
    }

    /// Width of the part alone; for the gauge, the minimum.
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
        let fitted = DisplayWidth.fitted(style.shown(name), to: self.name, ellipsis: style.ellipsis)
        guard fitted.utf8.allSatisfy({ $0 < 0x80 }) else {
            // The terminal may use another width, so a cursor movement places the next part.
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
            // The marker moves back and forth, one column each time bytes arrive.
            let marker = "<=>"
            let places = inner - marker.count
            let step = state.steps % (2 * places)
            text = Self.left(Self.blank(step < places ? step : 2 * places - step) + marker, inner)
        }
        return "[" + style.colored(text, .green) + "]"
    }

    /// One character for each second; its height is that second's rate relative to the fastest.
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

/// The characters and colours of bars.
struct BarStyle: Equatable, Sendable {
    /// Whether characters beyond ASCII may be used.
    let isUTF8: Bool
    let hasColor: Bool

    /// From the slowest to the fastest rate.
    var levels: [Character] { Array(isUTF8 ? "▁▂▃▄▅▆▇█" : "_.:-=+*#") }

    /// Replaces the omitted part of a name.
    var ellipsis: String { isUTF8 ? "…" : ".." }

    /// A colour of the terminal's palette, which the user can configure.
    enum Color: Int {
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    func colored(_ text: String, _ color: Color) -> String {
        hasColor && !text.isEmpty ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// The name with characters that the terminal can show.
    func shown(_ name: String) -> String {
        guard !isUTF8 else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }
}
