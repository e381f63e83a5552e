import CTestSupport
import Foundation

/// The two ends of a pipe, both close-on-exec.
struct Pipe: ~Copyable {
    /// The reading end.
    var reading: Descriptor?
    /// The writing end.
    var writing: Descriptor?

    /// Makes a pipe.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw TestSupportError.lastSystemError("pipe2") }
        reading = try Descriptor(ends[0], from: "pipe2")
        writing = try Descriptor(ends[1], from: "pipe2")
    }
}
