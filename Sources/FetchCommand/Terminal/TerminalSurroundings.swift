/// What the environment says about the terminal and its user's wishes.
struct TerminalSurroundings: Equatable, Sendable {
    /// Whether the cursor can be moved: `TERM` is set, and not to `dumb`.
    let canMoveCursor: Bool
    /// Whether letters beyond ASCII arrive, by `LC_ALL`, `LC_CTYPE` and `LANG`.
    let isUTF8: Bool
    /// Whether colours are welcome; `NO_COLOR` (<https://no-color.org>) says that they are not.
    let hasColor: Bool
    /// For where the terminal does not tell: `COLUMNS` and `LINES`, else 80 and 24.
    let assumedSize: TerminalSize

    /// Reads the variables.
    ///
    /// - Parameter variable: the value of a variable of this name.
    init(_ variable: (String) -> String?) {
        /// A variable that is empty says nothing.
        func value(_ name: String) -> String? {
            variable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        /// Far fewer than would overflow anything.
        func count(_ name: String) -> Int? {
            value(name).flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        }
        canMoveCursor = value("TERM").map { $0 != "dumb" } ?? false
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        isUTF8 =
            locale.hasSuffix("utf-8") || locale.hasSuffix("utf8") || locale.contains("utf-8@")
            || locale.contains("utf8@")
        hasColor = value("NO_COLOR") == nil
        assumedSize = TerminalSize(columns: count("COLUMNS") ?? 80, rows: count("LINES") ?? 24)
    }
}
