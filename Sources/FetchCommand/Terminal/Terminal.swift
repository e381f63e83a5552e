import Glibc
import SystemPackage

/// A terminal to write to without ever waiting for it.
///
/// A write to a stopped terminal (Control-S), or one whose window hangs, blocks. So the terminal is
/// opened once more, non-blocking. A flag on the given descriptor would affect every process that
/// shares it, the shell included. Output that the terminal does not take is buffered, in order, for
/// the next attempt.
struct Terminal: ~Copyable {
    /// The most bytes of one write if the terminal cannot be opened again, as after su(1); each
    /// write follows a poll(2).
    private static let cautiousPiece = 64

    let descriptor: CInt
    private let isOurs: Bool
    private let assumedSize: TerminalSize
    private var kept: [UInt8] = []

    /// The terminal behind a descriptor; nil where there is none.
    ///
    /// - Parameters:
    ///   - shared: the descriptor.
    ///   - assumedSize: for a terminal that does not report its size.
    ///   - opens: whether to open it once more; `false` is for tests.
    init?(_ shared: FileDescriptor, assumedSize: TerminalSize, opens: Bool = true) {
        guard isatty(shared.rawValue) != 0 else { return nil }
        let options = FileDescriptor.OpenOptions(rawValue: O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        let path = FilePath("/proc/self/fd/\(shared.rawValue)")
        let opened = opens ? try? FileDescriptor.open(path, .writeOnly, options: options) : nil
        descriptor = (opened ?? shared).rawValue
        isOurs = opened != nil
        self.assumedSize = assumedSize
    }

    deinit {
        if isOurs { close(descriptor) }
    }

    /// Read each time, so no signal has to report a change.
    var size: TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return assumedSize }
        return TerminalSize(
            columns: window.ws_col > 0 ? Int(window.ws_col) : assumedSize.columns,
            rows: window.ws_row > 0 ? Int(window.ws_row) : assumedSize.rows
        )
    }

    /// Whether this job may draw: it is in the terminal's foreground.
    ///
    /// Where it controls no job at all, as after setsid(1), there is no background.
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// The buffered bytes.
    var backlog: Int { kept.count }

    /// Writes after the buffered output, as far as the terminal takes it.
    mutating func send(_ text: String) {
        kept += text.utf8
        flush()
    }

    /// Writes the buffered output, as far as the terminal takes it, and returns whether that was
    /// all.
    ///
    /// Output for a closed terminal is discarded.
    @discardableResult
    mutating func flush() -> Bool {
        var start = 0
        while start < kept.count {
            let count = write(from: start)
            if count > 0 {
                start += count
            } else if count == 0 || errno == EAGAIN {
                break
            } else if errno != EINTR {
                start = kept.count
            }
        }
        kept.removeFirst(start)
        return kept.isEmpty
    }

    private func write(from start: Int) -> Int {
        kept.withUnsafeBytes { bytes in
            var piece = bytes[start...]
            if !isOurs {
                guard Self.takesMore(descriptor, within: 0) else {
                    errno = EAGAIN
                    return -1
                }
                piece = piece.prefix(Self.cautiousPiece)
            }
            return Glibc.write(
                descriptor,
                UnsafeRawBufferPointer(rebasing: piece).baseAddress,
                piece.count
            )
        }
    }

    /// Waits until a terminal takes more output, so many milliseconds or without end (−1); returns
    /// whether it does.
    ///
    /// Not a method of the terminal, so that a holder of its lock needs not wait.
    @discardableResult
    static func takesMore(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&asked, 1, milliseconds) > 0
    }
}

/// A terminal's size in characters.
struct TerminalSize: Equatable, Sendable {
    var columns: Int
    var rows: Int
}

/// The terminal's settings in the environment.
struct TerminalEnvironment: Equatable, Sendable {
    /// Whether the cursor can be moved: `TERM` is set, and not to `dumb`.
    let canMoveCursor: Bool
    /// Whether letters beyond ASCII arrive, by `LC_ALL`, `LC_CTYPE` and `LANG`.
    let isUTF8: Bool
    /// Whether colours are welcome; `NO_COLOR` (<https://no-color.org>) says that they are not.
    let hasColor: Bool
    /// If the terminal does not report its size: `COLUMNS` and `LINES`, else 80 and 24.
    let assumedSize: TerminalSize

    /// Reads the variables.
    ///
    /// - Parameter variable: the value of a variable of this name.
    init(_ variable: (String) -> String?) {
        /// An empty variable counts as unset.
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

/// Keeps some rows at the bottom of a terminal, and other lines above them.
///
/// It only returns text, all of which has to be written in order. The cursor rests at the beginning
/// of the first row, and the painted area ends with the screen. So nothing is counted when a row is
/// removed, a narrower window wraps rows, or a shell has written meanwhile.
struct Painter {
    private static let eraseToEndOfLine = "\u{1b}[K"
    private static let eraseToEndOfScreen = "\u{1b}[J"

    /// The rows that are on the screen.
    private var rows: [String] = []
    private var size: TerminalSize?

    /// The text that replaces the present rows; nil if they are the same.
    ///
    /// No row may be wider than the terminal less one column, and there may be no more of them than
    /// it has rows.
    mutating func draw(_ rows: [String], on size: TerminalSize) -> String? {
        guard rows != self.rows || size != self.size && !rows.isEmpty else { return nil }
        defer { (self.rows, self.size) = (rows, size) }
        guard size == self.size || self.rows.isEmpty else {
            // Other lines may be in our place, and rows may have wrapped.
            return "\r" + Self.eraseToEndOfScreen + Self.text(rows)
        }
        return Self.text(rows)
    }

    /// The text that prints lines above the rows.
    ///
    /// - Parameters:
    ///   - text: the lines, without the last line's end.
    ///   - rows: the new rows; nil: the same ones.
    /// - Returns: the text to write.
    mutating func say(_ text: String, above rows: [String]? = nil) -> String {
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

    /// Leaves the rows where they are, because another process writes there now.
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
