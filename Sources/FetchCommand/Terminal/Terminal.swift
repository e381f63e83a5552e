import Glibc
import SystemPackage

/// A terminal whose writes never block.
///
/// A write to a terminal that is stopped (Control-S), or whose window hangs, would block. Output
/// that the terminal does not accept is buffered, in order, for the next attempt.
struct Terminal: ~Copyable {
    private let output: PromptOutput
    private let assumedSize: TerminalSize
    private var kept: [UInt8] = []

    /// Opens the terminal of a descriptor; `nil` if the descriptor is not a terminal.
    ///
    /// The size is assumed for a terminal that does not report its own. `opens` is `false` in
    /// tests.
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

    /// Whether this job may draw, because it is in the terminal's foreground.
    ///
    /// Always true if it is not the controlling terminal, as after setsid(1).
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// The number of buffered bytes.
    var backlog: Int { kept.count }

    /// Appends the text to the buffer, and writes as much as the terminal accepts.
    mutating func send(_ text: String) {
        kept += text.utf8
        flush()
    }

    /// Writes as much buffered output as the terminal accepts; returns whether it accepted all.
    ///
    /// If the terminal is closed, the output is discarded.
    @discardableResult
    mutating func flush() -> Bool {
        do {
            kept.removeFirst(try kept.withUnsafeBytes { try output.write($0) })
        } catch {
            kept = []
        }
        return kept.isEmpty
    }

    /// Waits until a terminal accepts more output, for a time or without a limit (−1); returns
    /// whether it does.
    ///
    /// Static, so that the caller can wait without the terminal's lock.
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
        func value(_ name: String) -> String? {
            variable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
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

    /// The rows on the screen.
    private var rows: [String] = []
    private var size: TerminalSize?

    /// The text that replaces the rows on the screen; `nil` if they are unchanged.
    ///
    /// Each row must be narrower than the terminal, and there may be no more rows than the terminal
    /// has.
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
    mutating func forgetRows() {
        rows = []
    }

    /// The rows as text; the cursor starts and ends at the beginning of the first row.
    private static func text(_ rows: [String]) -> String {
        var text = "\r" + rows.joined(separator: eraseToEndOfLine + "\n\r") + eraseToEndOfScreen
        if rows.count > 1 { text += "\u{1b}[\(rows.count - 1)A" }
        return text + (rows.isEmpty ? "" : "\r")
    }
}
