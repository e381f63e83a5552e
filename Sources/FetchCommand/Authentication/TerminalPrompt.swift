import Glibc
import Synchronization
import SystemPackage

/// Asks the person at the terminal that controls the process, wherever its standard streams go.
struct TerminalPrompt: ~Copyable {
    private static let path = "/dev/tty"

    private let terminal: FileDescriptor

    /// Opens the terminal; `nil` where there is none.
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

    /// Whether there is a terminal, be it another job's just now.
    static var isThere: Bool {
        TerminalPrompt() != nil
    }

    /// Whether there is one and it is ours: a job in the background has no terminal to ask on.
    static var isOurs: Bool {
        guard let prompt = TerminalPrompt() else { return false }
        return tcgetpgrp(prompt.terminal.rawValue) == getpgrp()
    }

    /// Asks, and waits for a line.
    ///
    /// - Parameters:
    ///   - question: what to print before it.
    ///   - isSecret: whether what is typed is not to be seen.
    ///   - end: rings when the credential is no longer needed.
    /// - Returns: the line; `nil` where there is none to come.
    func ask(_ question: String, isSecret: Bool, until end: Doorbell) -> String? {
        // Dispatch blocks these in its threads, and the kernel then lets a job in the background have
        // the terminal; unblocked they stop it.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTTIN)
        sigaddset(&stops, SIGTTOU)
        var before = sigset_t()
        pthread_sigmask(SIG_UNBLOCK, &stops, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        guard !isSecret || TerminalEcho.turnOff(on: terminal.rawValue) else { return nil }
        defer { if isSecret { TerminalEcho.restore() } }
        say(question)
        guard let line = readLine(until: end) else {
            say("\n")
            return nil
        }
        return line
    }

    /// Prints something.
    func say(_ text: String) {
        _ = try? terminal.writeAll(Array(text.utf8))
    }

    /// The terminal edits the line; it is had as a whole.
    private func readLine(until end: Doorbell) -> String? {
        var line: [UInt8] = []
        while true {
            var asked = [
                pollfd(fd: terminal.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&asked, 2, -1) >= 0 || errno == EINTR else { return nil }
            if asked[1].revents != 0 { return nil }
            guard asked[0].revents != 0 else { continue }
            var space = [UInt8](repeating: 0, count: 4_096)
            guard let count = try? space.withUnsafeMutableBytes({ try terminal.read(into: $0) }),
                count > 0
            else { return nil }
            line += space[..<count]
            if line.last == UInt8(ascii: "\n") {
                line.removeLast()
                return String(validating: line, as: UTF8.self)
            }
        }
    }
}

/// A terminal's echo, off while a password is typed, and on again whatever happens: at the end, when
/// the process stops, and when it dies by a signal.
///
/// SIGINT, SIGTERM and SIGHUP are read from a descriptor, and code that ends the process for them
/// calls `restore`. The keys that stop a process, and that end it with a core file, still send
/// signals: for those there is a handler as long as the echo is off.
enum TerminalEcho {
    private static let watched = [SIGTSTP, SIGQUIT]

    /// The terminal whose echo is off; −1: none.
    private static let descriptor = Atomic<CInt>(-1)
    /// What the terminal does with and without its echo.
    private struct Modes {
        var before = termios()
        var silent = termios()
    }

    // Unsafe: written before `descriptor` is set and never while it is. So code that reads a
    // descriptor from that, a signal handler too, finds it whole; a handler can take no lock.
    nonisolated(unsafe) private static let modes = UnsafeMutablePointer<Modes>.allocate(capacity: 1)

    /// Turns the echo off; `false` where the terminal does not do it.
    ///
    /// One terminal at a time, as there is one person.
    static func turnOff(on terminal: CInt) -> Bool {
        var own = Modes()
        guard tcgetattr(terminal, &own.before) == 0 else { return false }
        own.silent = own.before
        own.silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        own.silent.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        modes.initialize(to: own)
        for signal in watched where !isIgnored(signal) { Glibc.signal(signal, handle) }
        descriptor.store(terminal, ordering: .sequentiallyConsistent)
        // In the background this stops the process, which is what should happen there.
        guard tcsetattr(terminal, TCSANOW, &modes.pointee.silent) == 0 else {
            restore()
            return false
        }
        return true
    }

    /// Turns the echo on again, if it is off; from any thread, any number of times.
    ///
    /// - Parameter endsLine: whether the process is about to end, in the middle of a question.
    static func restore(endsLine: Bool = false) {
        let terminal = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
        guard terminal >= 0 else { return }
        tcsetattr(terminal, TCSANOW, &modes.pointee.before)
        if endsLine { _ = write(terminal, "\n", 1) }
        for signal in watched where !isIgnored(signal) { Glibc.signal(signal, SIG_DFL) }
    }

    /// Puts the terminal in order, has the signal do what it does, and goes on silently.
    ///
    /// Only what may be called in a signal handler (signal-safety(7)) is called.
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
        // Here it stops, or ends.
        pthread_sigmask(SIG_UNBLOCK, &set, &old)
        pthread_sigmask(SIG_SETMASK, &old, nil)
        Glibc.signal(number, handle)
        if descriptor.load(ordering: .sequentiallyConsistent) >= 0 {
            tcsetattr(terminal, TCSANOW, &modes.pointee.silent)
            // The shell has written below the question. A constant: nothing may be made here.
            let again: StaticString = "(password) "
            _ = write(terminal, again.utf8Start, again.utf8CodeUnitCount)
        }
        errno = error
    }

    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
