/// Keeps some rows at the bottom of a terminal, and other lines above them.
///
/// What it returns is to be written, all of it and in order: nothing here writes. The cursor rests
/// at the beginning of the first row. So a row that is taken away, a narrower window that has broken
/// the rows into more of them, and a shell that has written something meanwhile all need no
/// counting: what is ours begins at the cursor and ends with the screen.
struct Painter {
    private static let eraseToEndOfLine = "\u{1b}[K"
    private static let eraseToEndOfScreen = "\u{1b}[J"

    /// The rows that are on the screen.
    private var rows: [String] = []
    private var size: TerminalSize?

    /// What puts these rows in the place of the present ones; nil where they are there already.
    ///
    /// No row may be wider than the terminal less one column, and there may be no more of them than
    /// it has rows.
    mutating func draw(_ rows: [String], on size: TerminalSize) -> String? {
        guard rows != self.rows || size != self.size && !rows.isEmpty else { return nil }
        defer { (self.rows, self.size) = (rows, size) }
        guard size == self.size || self.rows.isEmpty else {
            // Other lines may stand where ours have been, and rows may have become several.
            return "\r" + Self.eraseToEndOfScreen + Self.text(rows)
        }
        return Self.text(rows)
    }

    /// What prints a text, which may be of several lines, above the rows.
    ///
    /// - Parameters:
    ///   - text: the lines, without the last line's end.
    ///   - rows: what takes the place of the present rows; nil for the same ones.
    /// - Returns: what is to be written.
    mutating func say(_ text: String, above rows: [String]? = nil) -> String {
        guard !self.rows.isEmpty else { return text + "\n" }
        self.rows = rows ?? self.rows
        return "\r" + Self.eraseToEndOfScreen + text + "\n"
            + (self.rows.isEmpty ? "" : Self.text(self.rows))
    }

    /// What takes the rows away and leaves the cursor at the beginning of a line.
    mutating func erase() -> String {
        guard !rows.isEmpty else { return "" }
        rows = []
        return Self.text([])
    }

    /// The rows are left where they are: others write there now.
    mutating func letGo() {
        rows = []
    }

    /// From the beginning of the first row and back to it.
    private static func text(_ rows: [String]) -> String {
        var text = "\r" + rows.joined(separator: eraseToEndOfLine + "\n\r") + eraseToEndOfScreen
        if rows.count > 1 { text += "\u{1b}[\(rows.count - 1)A" }
        return text + (rows.isEmpty ? "" : "\r")
    }
}
