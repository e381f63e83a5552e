import CTestSupport
import Foundation

/// A file descriptor that is closed when its owner is destroyed.
struct Descriptor: ~Copyable {
    /// The descriptor's number; valid as long as the owner exists.
    let number: Int32

    /// Takes ownership of a system call's result.
    ///
    /// - Parameters:
    ///   - number: The descriptor, or a negative number for a failure in `errno`.
    ///   - call: The system call's name, for the error.
    /// - Throws: `TestSupportError.system` for a negative number.
    init(_ number: Int32, from call: String) throws {
        guard number >= 0 else { throw TestSupportError.lastSystemError(call) }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Opens a file; the descriptor is close-on-exec.
    static func open(_ path: String, _ flags: Int32) throws -> Descriptor {
        try Descriptor(Foundation.open(path, flags | O_CLOEXEC, 0o600), from: "open \(path)")
    }

    /// Makes reads and writes fail at once with `EAGAIN` instead of waiting.
    func setNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }
}
