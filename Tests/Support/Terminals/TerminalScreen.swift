import CTestSupport

/// A terminal emulator for programs that redraw a few lines: its screen follows from the written bytes.
///
/// It supports the cursor's moves by CR, LF, BS and CSI A to D and G, erasing by CSI J and K, and
/// colours. It supports long lines, scrolling, and windows that change their size: like most terminals it
/// then breaks its lines anew.
public struct TerminalScreen: Sendable {
    /// The width of the window.
    public private(set) var columns: Int
    /// The height of the window.
    public private(set) var rows: Int
    /// Whether any text was coloured.
    public private(set) var hasColor = false
    /// Unsupported sequences.
    public private(set) var unknown: [String] = []

    /// The rows that scrolled out above, and then the used rows of the window.
    private var lines = [TerminalRow()]
    /// Index in `lines`.
    private var row = 0
    private var column = 0
    /// After the last column was written the cursor stays on it until the next character.
    private var isAtEdge = false
    private var decoder = EscapeDecoder()

    /// An empty screen.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// All text that was written and not erased, including the rows that scrolled out above.
    ///
    /// Spaces at the ends of lines and empty lines at the end are left out.
    public var text: [String] {
        var text = lines.map(\.text)
        while text.last == "" { text.removeLast() }
        return text
    }

    /// The text in the window, with as many lines as the window has rows.
    public var window: [String] {
        let shown = lines[top...].map(\.text)
        return shown + Array(repeating: "", count: rows - shown.count)
    }

    /// The cursor's position in the window, from 0.
    public var cursor: (row: Int, column: Int) { (row - top, column) }

    private var top: Int { max(0, lines.count - rows) }

    /// Takes the output of a program.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch decoder.take(byte) {
            case nil: break
            case .scalar(let scalar): show(scalar)
            case .sequence(let parameters, let end): obey(parameters, end)
            case .other(let text): unknown.append(text)
            }
        }
    }

    private mutating func show(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r":
            column = 0
            isAtEdge = false
        case "\n": feedLine()
        case "\u{8}":
            column = max(0, column - 1)
            isAtEdge = false
        case "\u{7}": break
        case _ where scalar.value < 0x20: unknown.append("\(scalar.value)")
        default: write(scalar)
        }
    }

    private mutating func feedLine() {
        isAtEdge = false
        row += 1
        if row == lines.count { lines.append(TerminalRow()) }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        let width = Int(locale_width(scalar.value))
        guard width > 0 else { return lines[row].add(scalar, before: isAtEdge ? columns : column) }
        if isAtEdge || column + width > columns {
            lines[row].goesOn = true
            feedLine()
            column = 0
        }
        lines[row].put(String(scalar), at: column, width: width)
        isAtEdge = column + width >= columns
        column = min(columns - 1, column + width)
    }

    private mutating func obey(_ parameters: [Int], _ end: Character) {
        let first = parameters.first ?? 0
        if end != "m" { isAtEdge = false }
        switch end {
        case "A": row = max(top, row - max(1, first))
        case "B": row = min(lines.count - 1, row + max(1, first))
        case "C": column = min(columns - 1, column + max(1, first))
        case "D": column = max(0, column - max(1, first))
        case "G": column = min(columns, max(1, first)) - 1
        case "J" where first == 0:
            lines[row].erase(from: column)
            for below in lines.indices.dropFirst(row + 1) { lines[below] = TerminalRow() }
        case "K" where first == 0: lines[row].erase(from: column)
        case "m": hasColor = hasColor || parameters.contains { $0 != 0 }
        default: unknown.append("\(parameters) \(end)")
        }
    }

    /// Gives the window another size and breaks its lines anew; the cursor stays with its text.
    public mutating func resize(columns: Int, rows: Int) {
        // A window without a size has an unknown size.
        let (columns, rows) = (max(1, columns), max(1, rows))
        var broken: [TerminalRow] = []
        var place = (row: 0, column: 0)
        var line: [String] = []
        var cursor: Int?
        for (number, old) in lines.enumerated() {
            if number == row { cursor = line.count + column }
            line += old.cells
            if old.goesOn { continue }
            let start = broken.count
            broken += Self.broken(line, at: columns)
            if let offset = cursor {
                let last = broken.count - 1
                place = (min(last, start + offset / columns), offset % columns)
                cursor = nil
            }
            line = []
        }
        (self.columns, self.rows) = (columns, rows)
        lines = broken
        (row, column) = place
        isAtEdge = false
    }

    private static func broken(_ cells: [String], at columns: Int) -> [TerminalRow] {
        var rows = [TerminalRow()]
        for cell in cells {
            if rows[rows.count - 1].cells.count == columns {
                rows[rows.count - 1].goesOn = true
                rows.append(TerminalRow())
            }
            rows[rows.count - 1].cells.append(cell)
        }
        return rows
    }
}
