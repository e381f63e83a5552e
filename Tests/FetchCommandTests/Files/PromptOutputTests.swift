import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FetchCommand

/// Outputs whose readers may be slow or closed.
@Suite(.timeLimit(.minutes(1)))
struct PromptOutputTests {
    private static func isNonblocking(_ descriptor: FileDescriptor) -> Bool {
        fcntl(descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0
    }

    private static func write(_ bytes: [UInt8], _ output: PromptOutput) throws -> Int {
        try bytes.withUnsafeBytes { try output.write($0) }
    }

    /// A pipe, or a pair of sockets.
    private static func ends(
        ofPipe isPipe: Bool
    ) throws -> (read: FileDescriptor, write: FileDescriptor) {
        if isPipe {
            let ends = try FileDescriptor.pipe()
            return (ends.readEnd, ends.writeEnd)
        }
        var pair: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (FileDescriptor(rawValue: pair[0]), FileDescriptor(rawValue: pair[1]))
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func writesWhatTheReaderAcceptsWithoutWaiting(isPipe: Bool, opens: Bool) throws {
        let (read, write) = try Self.ends(ofPipe: isPipe)
        defer { try? read.close() }
        defer { try? write.close() }
        let output = PromptOutput(OutputDescriptor(write.rawValue), opens: opens)
        let bytes = PseudoRandom.bytes(3 << 20)
        var written = 0
        var got: [UInt8] = []
        var timesFull = 0
        while got.count < bytes.count {
            let count = try Self.write(Array(bytes[written...].prefix(100_000)), output)
            written += count
            if count < min(100_000, bytes.count - written + count) { timesFull += 1 }
            guard count == 0 || written == bytes.count else { continue }
            var space = [UInt8](repeating: 0, count: 50_000)
            let came = try space.withUnsafeMutableBytes { try read.read(into: $0) }
            got += space[..<came]
        }
        #expect(got == bytes)
        #expect(timesFull > 2)
        // The descriptor's flags are unchanged for other processes that share the descriptor.
        #expect(!Self.isNonblocking(write))
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func reportsAClosedReader(isPipe: Bool, opens: Bool) throws {
        signal(SIGPIPE, SIG_IGN)
        let (read, write) = try Self.ends(ofPipe: isPipe)
        defer { try? write.close() }
        let output = PromptOutput(OutputDescriptor(write.rawValue), opens: opens)
        #expect(try Self.write([1, 2], output) == 2)
        try read.close()
        #expect(throws: OutputClosed.self) { try Self.write([3], output) }
        // A reader that closed earlier gives the same error.
        let late = PromptOutput(OutputDescriptor(write.rawValue), opens: opens)
        #expect(throws: OutputClosed.self) { try Self.write([3], late) }
    }

    @Test func aFileTakesAllBytes() throws {
        let folder = try ScratchFolder()
        let file = try FileDescriptor.open(try folder.file("file"), .readWrite)
        defer { try? file.close() }
        let output = PromptOutput(OutputDescriptor(file.rawValue))
        #expect(output.descriptor == file.rawValue)
        let bytes = PseudoRandom.bytes(1 << 20)
        #expect(try Self.write(bytes, output) == bytes.count)
        #expect(OutputDescriptor(file.rawValue).takes(1 << 30))
    }

    @Test func aPipeIsTriedBeforeTheWait() throws {
        let (read, write) = try Self.ends(ofPipe: true)
        defer { try? write.close() }
        let output = OutputDescriptor(write.rawValue)
        #expect(output.takes(Int(PIPE_BUF)))
        #expect(!output.takes(Int(PIPE_BUF) + 1))
        _ = try Self.write([UInt8](repeating: 0, count: 1 << 20), PromptOutput(output))
        #expect(!output.takes(1))
        try read.close()
        #expect(output.takes(1))
    }
}
