import URLLoading

extension BarLayout {
    /// One bar as one row, no wider than the layout.
    func row(_ figures: BarFigures, _ style: BarStyle) -> String {
        var row = name > 0 ? nameText(figures.name, style) : ""
        for part in parts {
            if name > 0 || part != parts.first { row += Self.blank(part.gap) }
            row += text(part, figures, style)
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
            // The terminal may think otherwise of its width: what follows has its place anyway.
            return fitted + "\u{1b}[K\r\u{1b}[\(self.name)C"
        }
        return fitted + Self.blank(self.name - DisplayWidth.of(fitted))
    }

    private func text(_ part: BarPart, _ figures: BarFigures, _ style: BarStyle) -> String {
        let width = part.ownWidth
        switch part {
        case .percent:
            return Self.right(figures.share.map { "\(Int(clamping: $0 * 100))%" } ?? "", width)
        case .gauge:
            return gaugeText(figures, style)
        case .count:
            return Self.right(ByteText.compact(figures.count), width)
        case .total:
            return Self.left(figures.total.map { " of \(ByteText.compact($0))" } ?? "", width)
        case .rate:
            switch figures.pace {
            case .waiting: return style.colored(Self.right("waiting", width), .yellow)
            case .offline: return style.colored(Self.right("no network", width), .yellow)
            case .stalled: return style.colored(Self.right("stalled", width), .yellow)
            case .moving(let rate):
                let text = rate.map { "\(ByteText.compact(Int64(clamping: $0)))/s" } ?? ""
                return Self.right(text, width)
            }
        case .remaining:
            let time = figures.remaining.flatMap(TimeText.short)
            return Self.left(time.map { "eta \($0)" } ?? "", width)
        case .history:
            let line = sparkline(figures.history, style)
            return style.colored(line, .cyan) + Self.blank(width - line.count)
        }
    }

    private func gaugeText(_ figures: BarFigures, _ style: BarStyle) -> String {
        let inner = gauge - 2
        let text: String
        if let share = figures.share {
            let filled = min(inner, max(0, Int(clamping: share * Double(inner))))
            let tip = filled < inner && filled > 0 ? ">" : ""
            let line = String(repeating: "=", count: filled - (tip.isEmpty ? 0 : 1))
            text = Self.left(line + tip, inner)
        } else {
            // There and back again, a column each time that something has come.
            let marker = "<=>"
            let places = inner - marker.count
            let step = figures.steps % (2 * places)
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
