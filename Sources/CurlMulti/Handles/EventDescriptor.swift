import CLinux
import Glibc
import SystemPackage

/// An eventfd(2): any thread may raise it, one thread waits for it among other descriptors.
///
/// It stands in for `curl_multi_wakeup`, so that no `CURLM*` leaves its thread.
struct EventDescriptor: ~Copyable, Sendable {
    let descriptor: CInt

    init() throws(Errno) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Ends the wait, or the next one.
    func raise() {
        var one: UInt64 = 1
        // Fails only when it is raised 2^64 − 1 times over: then it is raised.
        _ = write(descriptor, &one, 8)
    }

    /// Takes the event back.
    func lower() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
