import CLinux
import Glibc
package import SystemPackage

/// Starts threads for loops, and for other calls that block.
package enum LoopThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a detached thread that takes no signal.
    ///
    /// Signals are for the program's own threads, and a write to a closed socket must fail with an
    /// error there, not with a SIGPIPE. Throws `Errno` if the process may start no further thread, or
    /// has no memory for its stack.
    package static func start(_ run: @escaping @Sendable () -> Void) throws(Errno) {
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

    private typealias Entry = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    private static let enter: Entry = { argument in
        linux_name_thread("url-loading")
        if let argument {
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
    }
}
