import CLinux
import Glibc
import Synchronization
import URLLoading

/// The signals that request the end of the process, read from a signalfd in place of handlers.
final class Signals: Sendable {
    private static let stopping = [SIGINT, SIGTERM, SIGHUP]
    /// A signal within this time after another belongs to the same request.
    ///
    /// A terminal signals the whole process group, and a parent then forwards its own signal. A
    /// service manager sends SIGTERM and SIGHUP.
    private static let repetition: Duration = .milliseconds(100)

    let descriptor: CInt
    private let watched: sigset_t
    let tasks = Atomic(0)
    /// The time of the last signal that was a separate request.
    private let lastRequest = Mutex<MonotonicInstant?>(nil)

    /// Blocks the signals here and in later threads, except ignored ones (`nohup`); call it first.
    init() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Self.stopping where !Self.isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        watched = set
        descriptor = signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
    }

    /// Turns writes to a closed pipe, or beyond the file size limit, into errors.
    static func ignoreFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    deinit { close(descriptor) }

    /// Lets a signal end the process at once during work that waits for a slow reader or a process.
    ///
    /// If other tasks have to clean up, only the wait for standard error's reader can be
    /// interrupted.
    func allowed<Value>(while work: () -> Value) -> Value {
        guard tasks.load(ordering: .relaxed) <= 1 else {
            if !LineWriter.standardError.isKeeping { waitForReader(of: STDERR_FILENO) }
            return work()
        }
        var set = watched
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        defer { pthread_sigmask(SIG_BLOCK, &set, nil) }
        return work()
    }

    private func waitForReader(of output: CInt) {
        var asked = [
            pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&asked, 2, -1) > 0, asked[0].revents == 0, let number = next() else { return }
        Self.die(by: number)
    }

    /// The next pending signal; `nil` if there is none, or if it repeats the one before.
    func next() -> Int32? {
        var info = signalfd_siginfo()
        guard read(descriptor, &info, MemoryLayout.size(ofValue: info)) > 0 else { return nil }
        let now = MonotonicInstant.now
        let isRepeated = lastRequest.withLock { last in
            if let last, now - last < Self.repetition { return true }
            last = now
            return false
        }
        return isRepeated ? nil : Int32(info.ssi_signo)
    }

    /// Ends the process by a signal, as if it had not been blocked.
    static func die(by number: Int32) -> Never {
        TerminalEcho.restore(endsLine: true)
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        // Not reached: the default action of all these signals ends the process.
        exit(128 + number)
    }

    static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
