import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Frames of background sessions")
struct BackgroundFrameTests {
    private let contents: [[UInt8]] = [
        Array("{}".utf8), [], PseudoRandom.bytes(300), Array("last".utf8),
    ]

    private func frames() throws -> [UInt8] {
        try contents.flatMap { try FrameReader.frame($0) }
    }

    @Test("frames are decoded from pieces of any size")
    func pieces() throws {
        let bytes = try frames()
        for size in [1, 2, 3, 5, 64, bytes.count] {
            var reader = FrameReader()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.push(bytes[start..<min(start + size, bytes.count)])
                while let frame = try reader.next() { found.append(frame) }
            }
            #expect(found == contents, "in pieces of \(size)")
            #expect(reader.isAtBoundary)
        }
    }

    @Test(
        "a stream that is cut at any byte yields the complete frames, and is known to be incomplete"
    )
    func cut() throws {
        let bytes = try frames()
        var ends: Set<Int> = [0]
        for content in contents { ends.insert((ends.max() ?? 0) + 4 + content.count) }
        for length in 0...bytes.count {
            var reader = FrameReader()
            reader.push(bytes.prefix(length))
            var count = 0
            while let frame = try reader.next() {
                #expect(frame == contents[count])
                count += 1
            }
            #expect(reader.isAtBoundary == ends.contains(length), "cut at \(length)")
        }
    }

    @Test("a frame with too large a length is refused before its bytes arrive")
    func oversized() throws {
        var reader = FrameReader()
        reader.push([0x00, 0x40, 0x00])
        var frame = try reader.next()
        #expect(frame == nil)
        reader.push([0x01])
        #expect(throws: FrameError.tooLong((4 << 20) + 1)) { frame = try reader.next() }
        var other = FrameReader()
        other.push([0xff, 0xff, 0xff, 0xff])
        #expect(throws: FrameError.tooLong(0xffff_ffff)) { try other.next() }
        #expect(throws: FrameError.self) {
            try FrameReader.frame([UInt8](repeating: 0, count: (4 << 20) + 1))
        }
    }

    @Test("a long stream takes only the memory of its unread frames")
    func longStream() throws {
        var reader = FrameReader()
        let frame = try FrameReader.frame(PseudoRandom.bytes(1_000))
        for _ in 0..<5_000 {
            reader.push(frame)
            let found = try reader.next()
            #expect(found?.count == 1_000)
        }
        #expect(reader.isAtBoundary)
    }

    @Test("an outbox drops only lossy frames, and reports when it is full")
    func outbox() {
        var outbox = Outbox()
        let frame = [UInt8](repeating: 7, count: 10_000)
        var taken = 0
        while outbox.pushLossy(frame) { taken += 1 }
        #expect(taken == 6)
        while !outbox.isFull { outbox.push(frame) }
        #expect(outbox.count == 270_000)
        let isTaken = outbox.pushLossy([1])
        #expect(!isTaken)
        var sent: [UInt8] = []
        var room = 100_001
        outbox.drain { bytes in
            let count = min(bytes.count, room, 333)
            sent += bytes.prefix(count)
            room -= count
            return count > 0 ? count : -1
        }
        #expect(sent.count == 100_001)
        #expect(outbox.count == 270_000 - 100_001)
        #expect(!outbox.isFull)
        outbox.push([9])
        outbox.drain { bytes in
            sent += bytes
            return bytes.count
        }
        #expect(sent.count == 270_001)
        #expect(sent.last == 9)
        #expect(outbox.count == 0)
    }

    @Test("messages are the same after decoding, and another version's handshake is recognized")
    func messages() throws {
        let hello = BackgroundHandshake(
            identifier: "a",
            process: 7,
            purpose: .attach,
            cursor: BackgroundCursor(token: "t", sequence: 3)
        )
        let read = try JSONDecoder().decode(
            BackgroundHandshake.self,
            from: try JSONEncoder().encode(hello)
        )
        #expect(read == hello)
        #expect(read.blocker(identifier: "a") == nil)
        #expect(read.blocker(identifier: "b") != nil)
        let text =
            #"{"name":"URLLoading background","version":9,"identifier":"a","process":7,"new":1}"#
        let newer = try JSONDecoder().decode(BackgroundHandshake.self, from: Data(text.utf8))
        #expect(newer.blocker(identifier: "a") == .protocolVersion(process: 7, version: 9))
        for request in [
            BackgroundRequest.make(tasks: [taskRecord(1), taskRecord(2, destination: "/x")]),
            .cancel(tasks: [1]), .acknowledge(sequence: 4), .status,
            .answer(task: 1, disposition: 0, user: "me", password: "秘\u{0}\n"),
        ] {
            let data = try JSONEncoder().encode(request)
            #expect(try JSONDecoder().decode(BackgroundRequest.self, from: data) == request)
        }
    }
}
