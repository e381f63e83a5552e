import Glibc
import TestSupport
import Testing

@testable import FetchCommand

@Suite(.timeLimit(.minutes(1)))
struct OutputDescriptorTests {
    // F_SETPIPE_SZ and F_GETPIPE_SZ, which headers declare only for _GNU_SOURCE.
    private static let (setSize, getSize): (CInt, CInt) = (1031, 1032)

    /// Calls a closure with both ends of a pipe.
    private func withPipe(_ body: (_ reading: CInt, _ writing: CInt) throws -> Void) throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer {
            close(ends[0])
            close(ends[1])
        }
        try body(ends[0], ends[1])
    }

    @Test(arguments: [4_096, 1 << 20] as [CInt])
    func aPipeIsMadeLargerAndNeverSmaller(size: CInt) throws {
        try withPipe { _, writing in
            try #require(fcntl(writing, Self.setSize, size) == size)
            OutputDescriptor(writing).enlargePipe()
            #expect(fcntl(writing, Self.getSize, 0) == max(size, 512 << 10))
        }
    }

    @Test func lateBytesAreOmitted() throws {
        try withPipe { reading, writing in
            let text = [UInt8](repeating: 0x61, count: 200_000)
            let clock = ContinuousClock()
            let start = clock.now
            OutputDescriptor(writing).write(text, within: .milliseconds(100))
            #expect(clock.now - start >= .milliseconds(100))
            #expect(clock.now - start < .seconds(20))
            var waiting: CInt = 0
            #expect(ioctl(reading, UInt(FIONREAD), &waiting) == 0 && waiting == 65_536)
        }
    }

    @Test func writtenLinesAreComplete() throws {
        try withPipe { reading, writing in
            OutputDescriptor(writing).write(Array("two\nlines\n".utf8), within: .seconds(30))
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(reading, &bytes, bytes.count)
            #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "two\nlines\n")
        }
    }
}
