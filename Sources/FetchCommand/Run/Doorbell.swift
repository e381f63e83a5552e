import CLinux
import Glibc
import SystemPackage
import URLLoading

/// Tells the main thread, which sleeps in poll(2), that something is done.
final class Doorbell: Sendable {
    let descriptor: CInt

    /// Throws `resourceUnavailable` where the process has no descriptor left.
    init() throws(URLError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw URLError(.resourceUnavailable, detail: "no descriptor: \(Errno(rawValue: errno))")
        }
    }

    deinit {
        close(descriptor)
    }

    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func answer() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
