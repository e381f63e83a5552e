import CLinux
import Glibc
import SystemPackage

/// Threads for loops.
enum LoopThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a detached thread that takes no signal: those are for the program's own threads, and
    /// a write to a closed socket shall be an error there, not a SIGPIPE.
    ///
    /// Throws `Errno` where the process may have no further thread, or no memory for its stack.
    static func start(_ run: @escaping @Sendable () -> Void) throws(Errno) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, enter, body.toOpaque())
        guard failure == 0 else {
            body.release()
            throw Errno(rawValue: failure)
        }
        pthread_detach(thread)
    }

    /// Has this thread's texts be UTF-8, whatever the program's locale is: libcurl asks for it
    /// before it makes IDNA (RFC 5891) of a host's name.
    static func speakUTF8() {
        if let utf8 { uselocale(utf8) }
    }

    // Unchecked: never changed or freed, since threads share it.
    nonisolated(unsafe) private static let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    private typealias Entry = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    private static let enter: Entry = { argument in
        linux_name_thread("url-loading")
        if let argument {
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
    }
}
