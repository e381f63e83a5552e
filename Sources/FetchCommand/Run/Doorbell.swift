import CLinux
import Glibc

/// Tells the main thread, which sleeps in poll(2), that something is done.
final class Doorbell: Sendable {
    let descriptor: CInt

    init() {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
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
