/// One row of a terminal's screen.
struct TerminalRow: Equatable {
    /// The character in each column that was written to.
    ///
    /// A wide character takes the next column too, which is empty; a combining mark shares the column of
    /// its letter.
    var cells: [String] = []
    /// Whether the line continues in the next row, since the window was too narrow.
    var goesOn = false

    /// The visible text, without spaces at its end.
    var text: String {
        var text = cells.joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Puts a character into a column, over the previous one.
    mutating func put(_ character: String, at column: Int, width: Int) {
        while cells.count < column + width { cells.append(" ") }
        // Half of a wide character becomes a space.
        if cells[column].isEmpty, column > 0 { cells[column - 1] = " " }
        if column + width < cells.count, cells[column + width].isEmpty {
            cells[column + width] = " "
        }
        cells[column] = character
        if width == 2 { cells[column + 1] = "" }
    }

    /// Adds a combining mark to the character before a column.
    mutating func add(_ mark: Unicode.Scalar, before column: Int) {
        var place = min(column, cells.count) - 1
        while place > 0, cells[place].isEmpty { place -= 1 }
        if place >= 0 { cells[place].unicodeScalars.append(mark) }
    }

    /// Removes everything from a column on.
    mutating func erase(from column: Int) {
        guard column < cells.count else { return }
        if cells[column].isEmpty, column > 0 { cells[column - 1] = " " }
        cells.removeSubrange(column...)
        goesOn = false
    }
}
