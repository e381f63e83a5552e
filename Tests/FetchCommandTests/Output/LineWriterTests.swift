import SystemPackage
import TestSupport
import Testing

@testable import FetchCommand

/// Lines for a reader that may not read.
@Suite(.timeLimit(.minutes(1)))
struct LineWriterTests {
    private static func lines(_ range: Range<Int>) -> [[UInt8]] {
        range.map { Array("line \($0) \(String(repeating: "x", count: 200))\n".utf8) }
    }

    @Test func aSlowReaderDelaysNothingAndGetsAllInOrder() throws {
        let (read, write) = try FileDescriptor.pipe()
        let writer = LineWriter(OutputDescriptor(write.rawValue))
        writer.keepsLines()
        let lines = Self.lines(0..<2_000)
        // The pipe has room for 64 KiB: a writer that waited would wait for ever.
        for line in lines { writer.write(line) }
        let wanted = lines.reduce(0) { $0 + $1.count }
        var got: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 8_192)
        while got.count < wanted {
            let count = try space.withUnsafeMutableBytes { try read.read(into: $0) }
            got += space[..<count]
        }
        #expect(got == lines.flatMap(\.self))
        writer.finish(within: nil)
        // No line is waiting: the next one is written at once.
        writer.write(Array("last\n".utf8))
        let count = try space.withUnsafeMutableBytes { try read.read(into: $0) }
        #expect(Array(space[..<count]) == Array("last\n".utf8))
        try read.close()
        try write.close()
    }

    @Test func afterASignalTheWaitIsShort() throws {
        let (read, write) = try FileDescriptor.pipe()
        let writer = LineWriter(OutputDescriptor(write.rawValue))
        writer.keepsLines()
        for line in Self.lines(0..<1_000) { writer.write(line) }
        writer.writeLast(Array("last\n".utf8), within: .milliseconds(10))
        let clock = ContinuousClock()
        #expect(clock.measure { writer.finish(within: .milliseconds(50)) } < .seconds(10))
        // The thread ends together with its unwritten lines.
        var space = [UInt8](repeating: 0, count: 1 << 16)
        var got: [UInt8] = []
        while !got.suffix(5).elementsEqual("last\n".utf8) {
            let count = try space.withUnsafeMutableBytes { try read.read(into: $0) }
            got += space[..<count]
        }
        try read.close()
        try write.close()
    }
}
