import Glibc
import SystemPackage

/// A terminal to write to without ever waiting for it.
///
/// A terminal that is stopped (Control-S) or whose window hangs takes nothing, and a write to it
/// waits for as long. So it is opened once more, for ourselves and non-blocking: the flag on the
/// descriptor that we were given would hold for all who share it, the shell included. What the
/// terminal does not take now is kept, in order, for the next attempt.
struct Terminal: ~Copyable {
    /// Where the terminal cannot be opened again, as after su(1): no more at once than this, each
    /// after asking whether there is room.
    private static let cautiousPiece = 64

    let descriptor: CInt
    private let isOurs: Bool
    private let assumedSize: TerminalSize
    private var kept: [UInt8] = []

    /// The terminal behind a descriptor; nil where there is none.
    ///
    /// - Parameters:
    ///   - shared: the descriptor.
    ///   - assumedSize: for a terminal that does not tell its size.
    ///   - opens: whether to open it once more; what comes of `false` is for tests to see.
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

    /// Asked for anew each time, so that no signal has to tell of a change.
    var size: TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return assumedSize }
        return TerminalSize(
            columns: window.ws_col > 0 ? Int(window.ws_col) : assumedSize.columns,
            rows: window.ws_row > 0 ? Int(window.ws_row) : assumedSize.rows
        )
    }

    /// Whether the terminal is ours to draw on: a job in the background is not to be seen.
    ///
    /// Where it controls no job at all, as after setsid(1), there is no background.
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// How much it has not taken yet, bytes.
    var backlog: Int { kept.count }

    /// Writes after what is kept, as far as the terminal takes it.
    mutating func send(_ text: String) {
        kept += text.utf8
        flush()
    }

    /// Writes what is kept, as far as the terminal takes it, and says whether that was all.
    ///
    /// A terminal that is gone takes everything.
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

    /// Waits until a terminal takes more, so many milliseconds or without end (−1); whether it does.
    ///
    /// Not a method of the terminal, so that nobody who has a lock on it needs to wait.
    @discardableResult
    static func takesMore(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&asked, 1, milliseconds) > 0
    }
}
