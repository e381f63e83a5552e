import CLinux
import Glibc
import Synchronization
import SystemPackage
import URLLoading

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

    deinit { try? terminal.close() }

    /// Whether the process has a terminal, even if another job is in the foreground.
    static var exists: Bool { TerminalPrompt() != nil }

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

    func write(_ text: String) { _ = try? terminal.writeAll(Array(text.utf8)) }

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
    private struct Modes {
        var before = termios()
        var silent = termios()
    }

    // Unsafe: written only before `descriptor` is set. So a reader that finds a descriptor, even in
    // a signal handler, finds complete settings. A signal handler cannot take a lock.
    nonisolated(unsafe) private static let modes = UnsafeMutablePointer<Modes>.allocate(capacity: 1)

    /// Turns the echo off, of one terminal at a time; `false` if the terminal refuses.
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

    /// Turns the echo on again, from any thread; `endsLine`: if the process exits during a prompt.
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

/// A program that prompts the user in place of the terminal, as `SSH_ASKPASS` programs do.
enum AskpassProgram {
    /// The first line of the program's output; `nil` if there is none, or if the program fails.
    ///
    /// A name without a slash is searched for in `PATH`. `end` rings when no task needs the
    /// credential any more. Throws if the program cannot be started.
    static func ask(
        _ program: String,
        _ question: String,
        until end: Doorbell
    ) throws(Errno) -> String? {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        let process: pid_t
        do {
            ends = try FileDescriptor.pipe()
            // A process that another thread starts now must not inherit the pipe.
            for descriptor in [ends.readEnd, ends.writeEnd] {
                linux_close_on_exec(descriptor.rawValue)
            }
            defer { try? ends.writeEnd.close() }
            process = try ProcessStart(
                program,
                [program, question],
                descriptors: [.null, .duplicate(ends.writeEnd), .same],
                group: .shared,
                inherits: true
            ).start()
        } catch {
            throw error as? Errno ?? .ioError
        }
        let line = read(from: ends.readEnd, until: end)
        // The pipe is closed before the wait, because the program may print more than is read here.
        try? ends.readEnd.close()
        guard let line else {
            kill(process, SIGTERM)
            // The program may ignore the signal, and other prompts wait for this one.
            Children.detach(process)
            return nil
        }
        // If SIGCHLD is ignored (signal(7)), the exit status is lost; it then counts as success.
        return Children.wait(for: process) ?? 0 == 0 ? line : nil
    }

    /// The first line of the output, read until end of file; `nil` if the output is empty.
    private static func read(from output: FileDescriptor, until end: Doorbell) -> String? {
        var bytes: [UInt8] = []
        while let piece = output.nextBytes(until: end) {
            if piece.isEmpty {
                guard !bytes.isEmpty else { return nil }
                let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                return String(validating: line, as: UTF8.self)
            }
            bytes += piece
            // No password is longer than 64 KiB; such output is something else.
            if bytes.count > 64 << 10 { return nil }
        }
        return nil
    }
}

extension FileDescriptor {
    /// The next bytes, at most 4 KiB; none at the end of input, `nil` on an error or at `end`.
    func nextBytes(until end: Doorbell) -> ArraySlice<UInt8>? {
        while true {
            var asked = [
                pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&asked, 2, -1) >= 0 || errno == EINTR else { return nil }
            if asked[1].revents != 0 { return nil }
            guard asked[0].revents != 0 else { continue }
            var space = [UInt8](repeating: 0, count: 4_096)
            let count = try? space.withUnsafeMutableBytes { try read(into: $0) }
            return count.map { space[..<$0] }
        }
    }
}
