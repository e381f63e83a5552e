import Glibc
import Synchronization
import SystemPackage

/// A prompt at the process's controlling terminal, even if the standard streams are redirected.
struct TerminalPrompt: ~Copyable {
    private static let path = "/dev/tty"

    private let terminal: FileDescriptor

    /// Opens the terminal; `nil` if the process has none.
    init?() {
        guard
            let opened = try? FileDescriptor.open(
                Self.path,
                .readWrite,
                options: FileDescriptor.OpenOptions(rawValue: O_NOCTTY | O_CLOEXEC)
            )
        else { return nil }
        terminal = opened
    }

    deinit {
        try? terminal.close()
    }

    /// Whether the process has a terminal, even if another job is in the foreground.
    static var exists: Bool {
        TerminalPrompt() != nil
    }

    /// Whether the process has a terminal, and its job is in the foreground.
    static var isInForeground: Bool {
        guard let prompt = TerminalPrompt() else { return false }
        return tcgetpgrp(prompt.terminal.rawValue) == getpgrp()
    }

    /// Shows a prompt, and waits for a line; `nil` if there is none, or when `end` rings.
    func ask(_ question: String, isSecret: Bool, until end: Doorbell) -> String? {
        // Dispatch blocks these signals in its threads, and the kernel would then let a background
        // job read the terminal. Unblocked, the signals stop the job.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTTIN)
        sigaddset(&stops, SIGTTOU)
        var before = sigset_t()
        pthread_sigmask(SIG_UNBLOCK, &stops, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        guard !isSecret || TerminalEcho.turnOff(on: terminal.rawValue) else { return nil }
        defer { if isSecret { TerminalEcho.restore() } }
        write(question)
        let line = readLine(until: end)
        // A stopped terminal (Control-S) would block the writer.
        if line == nil, Terminal.takesMore(terminal.rawValue, within: 0) { write("\n") }
        return line
    }

    func write(_ text: String) {
        _ = try? terminal.writeAll(Array(text.utf8))
    }

    /// Reads one line; the terminal is in canonical mode, so the kernel handles the editing.
    private func readLine(until end: Doorbell) -> String? {
        var line: [UInt8] = []
        while let piece = terminal.nextBytes(until: end), !piece.isEmpty {
            line += piece
            if line.last == UInt8(ascii: "\n") {
                line.removeLast()
                return String(validating: line, as: UTF8.self)
            }
        }
        return nil
    }
}

/// The terminal's echo: off while the user types a password, and restored at the end, before the
/// process stops, and before a signal ends the process.
///
/// The main loop reads SIGINT, SIGTERM and SIGHUP from a descriptor, and calls `restore` before it
/// ends the process. SIGTSTP and SIGQUIT have a handler while the echo is off.
enum TerminalEcho {
    private static let watched = [SIGTSTP, SIGQUIT]

    /// File descriptor of the terminal whose echo is off; −1: none.
    private static let descriptor = Atomic<CInt>(-1)
    /// The terminal's settings with and without echo.
    private struct Modes {
        var before = termios()
        var silent = termios()
    }

    // Unsafe: written only before `descriptor` is set. So a reader that finds a descriptor, even in
    // a signal handler, finds complete settings. A signal handler cannot take a lock.
    nonisolated(unsafe) private static let modes = UnsafeMutablePointer<Modes>.allocate(capacity: 1)

    /// Turns the echo off; `false` if the terminal refuses.
    ///
    /// Only one terminal's echo can be off at a time.
    static func turnOff(on terminal: CInt) -> Bool {
        var own = Modes()
        guard tcgetattr(terminal, &own.before) == 0 else { return false }
        own.silent = own.before
        own.silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        own.silent.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        modes.initialize(to: own)
        for signal in watched where !Signals.isIgnored(signal) { Glibc.signal(signal, handle) }
        descriptor.store(terminal, ordering: .sequentiallyConsistent)
        // In a background job, this call raises SIGTTOU, which stops the process as intended.
        guard tcsetattr(terminal, TCSANOW, &modes.pointee.silent) == 0 else {
            restore()
            return false
        }
        return true
    }

    /// Turns the echo on again if it is off; from any thread, any number of times.
    ///
    /// A line end is written if the process exits during a prompt.
    static func restore(endsLine: Bool = false) {
        let terminal = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
        guard terminal >= 0 else { return }
        tcsetattr(terminal, TCSANOW, &modes.pointee.before)
        if endsLine, Terminal.takesMore(terminal, within: 0) { _ = write(terminal, "\n", 1) }
        for signal in watched where !Signals.isIgnored(signal) { Glibc.signal(signal, SIG_DFL) }
    }

    /// Restores the echo, raises the signal again with its default action, and turns the echo off
    /// when the process continues.
    ///
    /// Only async-signal-safe functions (signal-safety(7)) are called.
    private static let handle: @convention(c) (CInt) -> Void = { number in
        let error = errno
        let terminal = descriptor.load(ordering: .sequentiallyConsistent)
        if terminal >= 0 { tcsetattr(terminal, TCSANOW, &modes.pointee.before) }
        Glibc.signal(number, SIG_DFL)
        raise(number)
        var set = sigset_t()
        var old = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        // At this call the process stops, or ends.
        pthread_sigmask(SIG_UNBLOCK, &set, &old)
        pthread_sigmask(SIG_SETMASK, &old, nil)
        Glibc.signal(number, handle)
        if descriptor.load(ordering: .sequentiallyConsistent) >= 0 {
            tcsetattr(terminal, TCSANOW, &modes.pointee.silent)
            // The shell has written below the prompt. A handler cannot allocate: static string.
            let again: StaticString = "(password) "
            _ = write(terminal, again.utf8Start, again.utf8CodeUnitCount)
        }
        errno = error
    }
}
