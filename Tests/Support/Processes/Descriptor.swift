import CTestSupport
import Foundation

/// A file descriptor that is closed when its owner goes.
struct Descriptor: ~Copyable {
    /// The number the kernel knows it by; valid as long as the owner lives.
    let number: Int32

    /// Takes ownership of what a system call returned.
    ///
    /// - Parameters:
    ///   - number: The descriptor, or a negative number for a failure that `errno` explains.
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

    /// Makes reads and writes return at once with `EAGAIN` instead of waiting.
    func setNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }
}
