import CLinux
import Glibc
import Synchronization
import URLLoading

/// The signals that ask the process to stop, read one at a time in place of handlers.
final class Signals: Sendable {
    private static let stopping = [SIGINT, SIGTERM, SIGHUP]
    /// A signal that comes so soon after another is the same request.
    ///
    /// A terminal signals the whole group, and a parent forwards its own signal. A service manager sends
    /// SIGTERM and SIGHUP.
    private static let repetition: Duration = .milliseconds(100)

    let descriptor: CInt
    private let watched: sigset_t
    /// How many tasks are under way.
    let tasks = Atomic(0)
    /// When the last one came that was a request of its own.
    private let lastRequest = Mutex<MonotonicInstant?>(nil)

    /// Blocks the signals in this thread, and so in every thread that is made later; call it
    /// before the first.
    ///
    /// Those that are ignored stay ignored: `nohup` means it.
    init() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Self.stopping where !Self.isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        watched = set
        descriptor = signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
    }

    /// Makes a write to a closed pipe, or past the limit of a file's size, an error instead of the
    /// process's end.
    static func ignoreFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    deinit {
        close(descriptor)
    }

    /// Lets a signal end the process at once, while a stalled reader or another process is waited
    /// for.
    ///
    /// If other tasks have to clean up, only the wait for that reader is ended.
    ///
    /// - Parameter work: prints it, or waits.
    /// - Returns: its result.
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

    /// The next signal that has come; `nil` where none has, or it repeats the one before.
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

    /// Ends the process by a signal, as if it had not been caught.
    static func die(by number: Int32) -> Never {
        TerminalEcho.restore(endsLine: true)
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        // Not reached: the default of all of these is to end the process.
        exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
