/// With what a bar is drawn.
struct BarStyle: Equatable, Sendable {
    /// Whether letters beyond ASCII may be used.
    let isUTF8: Bool
    let hasColor: Bool

    /// From slow to fast.
    var levels: [Character] { Array(isUTF8 ? "▁▂▃▄▅▆▇█" : "_.:-=+*#") }

    /// What stands for the part of a name that was left out.
    var ellipsis: String { isUTF8 ? "…" : ".." }

    /// A colour of the terminal's own, which its user has made readable.
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
