import Glibc
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

    /// Whether there is one and it is ours: a job in the background has nobody to ask.
    static var isOurs: Bool {
        guard let prompt = TerminalPrompt() else { return false }
        return tcgetpgrp(prompt.terminal.rawValue) == getpgrp()
    }

    /// Asks, and waits for a line.
    ///
    /// - Parameters:
    ///   - question: what to print before it.
    ///   - isSecret: whether what is typed is not to be seen.
    ///   - end: rings when nobody needs the answer any more.
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
