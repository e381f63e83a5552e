import CLinux
import Glibc
import SystemPackage

extension FileDescriptor {
    /// Locks the open file with flock(2); the kernel releases the lock when the descriptor is closed.
    ///
    /// - Parameters:
    ///   - timeout: how long another process may hold the lock.
    ///   - pause: the time between two attempts, microseconds.
    /// - Throws: `wouldBlock` where another process holds the lock.
    func lock(timeout: Duration = .zero, pause: UInt32 = 10_000) throws(Errno) {
        let deadline = MonotonicInstant.now + timeout
        while linux_lock_exclusively(rawValue) != 0 {
            let reason = Errno(rawValue: errno)
            guard reason == .wouldBlock || reason == .interrupted else { throw reason }
            guard MonotonicInstant.now < deadline else { throw .wouldBlock }
            usleep(pause)
        }
    }
}
