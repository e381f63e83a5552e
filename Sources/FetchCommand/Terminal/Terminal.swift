import Glibc
import SystemPackage

/// A terminal whose writes never block: a stopped one (Control-S) gets its output later.
struct Terminal: ~Copyable {
    private let output: PromptOutput
    private let assumedSize: TerminalSize
    private var kept: [UInt8] = []

    /// Opens a descriptor that is a terminal; the size is assumed where it reports none.
    init?(_ shared: FileDescriptor, assumedSize: TerminalSize, opens: Bool = true) {
        guard isatty(shared.rawValue) != 0 else { return nil }
        output = PromptOutput(OutputDescriptor(shared.rawValue), opens: opens)
        self.assumedSize = assumedSize
    }

    var descriptor: CInt { output.descriptor }

    /// Read at each use, so SIGWINCH need not be handled.
    var size: TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return assumedSize }
        return TerminalSize(
            columns: window.ws_col > 0 ? Int(window.ws_col) : assumedSize.columns,
            rows: window.ws_row > 0 ? Int(window.ws_row) : assumedSize.rows
        )
    }

    /// Whether this job may draw; always if it is not the controlling terminal, as after setsid(1).
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    var backlog: Int { kept.count }

    /// Appends the text to the buffer, and writes as much as the terminal accepts.
    mutating func send(_ text: String) {
        kept += text.utf8
        flush()
    }

    /// Writes buffered output; returns whether all is gone, also because the terminal was closed.
    @discardableResult
    mutating func flush() -> Bool {
        do {
            kept.removeFirst(try kept.withUnsafeBytes { try output.write($0) })
        } catch {
            kept = []
        }
        return kept.isEmpty
    }

    /// Waits for room, without a lock, or for a time (−1: no limit); returns whether there is any.
    @discardableResult
    static func takesMore(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&asked, 1, milliseconds) > 0
    }
}

struct TerminalSize: Equatable, Sendable {
    var columns: Int
    var rows: Int
}

struct TerminalEnvironment: Equatable, Sendable {
    /// Whether the cursor can be moved: `TERM` is set, and is not `dumb`.
    let canMoveCursor: Bool
    /// Whether the locale is UTF-8, by `LC_ALL`, `LC_CTYPE` and `LANG`.
    let isUTF8: Bool
    /// Whether colours are used; `NO_COLOR` (<https://no-color.org>) disables them.
    let hasColor: Bool
    /// The size if the terminal does not report one: `COLUMNS` and `LINES`, by default 80 and 24.
    let assumedSize: TerminalSize

    init(_ variable: (String) -> String?) {
        /// An empty variable counts as unset.
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        /// The limit excludes values that could overflow later.
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

/// Draws rows at the bottom of a terminal, and prints other lines above them.
///
/// It only returns text, which the caller must write in order. The cursor stays at the beginning of
/// the first row, and the rows end with the screen. So no row needs to be counted when rows are
/// removed, a narrower window wraps them, or a shell has written meanwhile.
struct Painter {
    private static let eraseToEndOfLine = "\u{1b}[K"
    private static let eraseToEndOfScreen = "\u{1b}[J"

    private var rows: [String] = []
    private var size: TerminalSize?

    /// The text that draws the rows, which must fit on the screen; `nil` if they are unchanged.
    mutating func draw(_ rows: [String], on size: TerminalSize) -> String? {
        guard rows != self.rows || size != self.size && !rows.isEmpty else { return nil }
        defer { (self.rows, self.size) = (rows, size) }
        guard size == self.size || self.rows.isEmpty else {
            // Other text may be in this place, and rows may have wrapped.
            return "\r" + Self.eraseToEndOfScreen + Self.text(rows)
        }
        return Self.text(rows)
    }

    /// The text that prints lines above the rows; `nil` leaves the rows unchanged.
    mutating func printAbove(_ text: String, rows: [String]? = nil) -> String {
        guard !self.rows.isEmpty else { return text + "\n" }
        self.rows = rows ?? self.rows
        return "\r" + Self.eraseToEndOfScreen + text + "\n"
            + (self.rows.isEmpty ? "" : Self.text(self.rows))
    }

    /// The text that removes the rows, and leaves the cursor at the beginning of a line.
    mutating func erase() -> String {
        guard !rows.isEmpty else { return "" }
        rows = []
        return Self.text([])
    }

    /// Forgets the rows without removing them, because another process is writing to the terminal.
    mutating func forgetRows() { rows = [] }

    /// The rows as text; the cursor starts and ends at the beginning of the first row.
    private static func text(_ rows: [String]) -> String {
        var text = "\r" + rows.joined(separator: eraseToEndOfLine + "\n\r") + eraseToEndOfScreen
        if rows.count > 1 { text += "\u{1b}[\(rows.count - 1)A" }
        return text + (rows.isEmpty ? "" : "\r")
    }
}

/// The width of a text on a terminal, in columns; of composed emoji, the larger one.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The width of a character, with its combining marks.
    static func of(_ character: Character) -> Int {
        let width = character.unicodeScalars.reduce(0) { $0 + of($1) }
        // VARIATION SELECTOR-16 selects the emoji form, which has two columns.
        return character.unicodeScalars.contains("\u{fe0f}") ? max(width, 2) : width
    }

    /// The width of one scalar: 0 for a combining mark, 2 for East Asian letters and emoji.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7f: return 1
        case 0..<0xa0: return 0
        // Soft hyphens and number signs are visible, although their category is Cf.
        case 0xad, 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: return 1
        // Vowels and final consonants of decomposed Korean syllables combine with the first letter.
        case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
        // Regional indicators: two of them make a flag of two columns.
        case 0x1f1e6...0x1f1ff: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return isWide(scalar) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    /// The text, or its beginning and end, which shows a file's type, with an ellipsis between.
    static func fitted(_ text: String, to columns: Int, ellipsis: String) -> String {
        guard of(text) > columns else { return text }
        let room = columns - of(ellipsis)
        guard room >= 2 else { return prefix(text[...], columns) }
        let head = prefix(text[...], room - room / 2)
        return head + ellipsis + suffix(text.dropFirst(head.count), room / 2)
    }

    private static func prefix(_ text: Substring, _ columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= of(character)
                return left >= 0
            }
        )
    }

    private static func suffix(_ text: Substring, _ columns: Int) -> String {
        var left = columns
        let start = text.reversed().prefix { character in
            left -= of(character)
            return left >= 0
        }
        return String(text.suffix(start.count))
    }

    /// Whether the width class is W or F of [UAX #11](https://www.unicode.org/reports/tr11/),
    /// except emoji, which have a property of their own.
    ///
    /// The ranges are whole blocks, whose unassigned scalars are wide too.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x303f: false
        case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
            0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6:
            true
        case 0x16fe0...0x18d8f, 0x1aff0...0x1b2ff, 0x1d300...0x1d376, 0x1f200...0x1f265,
            0x1f300...0x1f320, 0x1f5a4, 0x1f947...0x1f9ff, 0x20000...0x3fffd:
            true
        default: false
        }
    }
}
