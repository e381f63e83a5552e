import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Spooled bodies", .timeLimit(.minutes(1)))
struct BodySpoolTests {
    /// Reads a stream, until a number of bytes have come or it has ended.
    private func read(
        _ stream: any HTTPBodyStream,
        upTo limit: Int = .max,
        piece: Int = 7_777
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var space = [UInt8](repeating: 0, count: piece)
        while bytes.count < limit {
            let result = try space.withUnsafeMutableBytes { space in
                let room = min(space.count, limit - bytes.count)
                return try stream.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: space[..<room])
                )
            }
            guard case .bytes(let count) = result else {
                #expect(result == .end)
                break
            }
            bytes += space[..<count]
        }
        return bytes
    }

    private func spool(
        _ source: any HTTPBodyStream,
        memory: Int = 10_000,
        limit: Int64 = 1 << 20,
        folder: TestSupport.TemporaryFolder
    ) -> BodySpool {
        BodySpool(source, memoryLimit: memory, limit: limit, folder: URL(filePath: folder.path))
    }

    @Test(
        "the spool replays a body stream three times, from memory or a file",
        arguments: [0, 8, 9_992, 10_000, 10_008, 200_000],
        [0, 10_000, 1 << 20]
    )
    func replayed(length: Int, memory: Int) throws {
        let folder = try TemporaryFolder()
        let source = NonReplayableStream(length, pieceLimit: 4_999)
        let spool = spool(source, memory: memory, folder: folder)
        let whole = NonReplayableStream.bytes(length)
        for _ in 1...3 {
            #expect(spool.canReplay)
            #expect(isSameBytes(try read(spool.stream()), whole))
        }
        // The spool did not read known bytes again, and the file has no name.
        #expect(source.reads <= length / 4_999 * 2 + 3)
        #expect(folder.names() == [])
    }

    @Test(
        "the spool knows the length of a body that it has read to its end",
        arguments: [0, 10_000]
    )
    func lengthAtLast(memory: Int) throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(20_000), memory: memory, folder: folder)
        #expect(try read(spool.stream(), upTo: 15_000).count == 15_000)
        #expect(spool.contentLength == nil)
        #expect(try read(spool.stream()).count == 20_000)
        #expect(spool.contentLength == 20_000)
        #expect(try spool.stream().contentLength == 20_000)
        #expect(folder.names() == [])
    }

    @Test("the spool begins a partly sent body again, and reads on behind its memory")
    func partly() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(100_000), folder: folder)
        let whole = NonReplayableStream.bytes(100_000)
        for part in [0, 5_000, 3_000, 20_000, 60_000, 59_999] {
            #expect(isSameBytes(try read(spool.stream(), upTo: part), whole.prefix(part)))
        }
        #expect(isSameBytes(try read(spool.stream()), whole))
        #expect(isSameBytes(try read(spool.stream(), piece: 1 << 20), whole))
    }

    @Test("a stream seeks anywhere within the kept bytes, and not beyond them")
    func seeking() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(100_000), folder: folder)
        let stream = try spool.stream()
        let whole = NonReplayableStream.bytes(100_000)
        _ = try read(stream, upTo: 50_000)
        #expect(stream.seek(to: 12_345))
        #expect(!stream.seek(to: 50_001))
        #expect(!stream.seek(to: -1))
        #expect(isSameBytes(try read(stream), whole.dropFirst(12_345)))
        #expect(stream.seek(to: 100_000))
        #expect(try read(stream) == [])
        #expect(stream.seek(to: 0))
        #expect(isSameBytes(try read(stream), whole))
    }

    @Test("the spool sends a body beyond the limit once, and cannot replay it")
    func limited() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(50_000), limit: 40_000, folder: folder)
        let whole = NonReplayableStream.bytes(50_000)
        #expect(isSameBytes(try read(spool.stream(), upTo: 40_000), whole.prefix(40_000)))
        #expect(spool.canReplay)
        let last = try spool.stream()
        #expect(isSameBytes(try read(last), whole))
        #expect(!spool.canReplay)
        #expect(spool.bytesInMemory == 0)
        #expect(!last.seek(to: 0))
        let error = #expect(throws: URLError.self) { try spool.stream() }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(error?.detail.contains("40000") == true)
    }

    @Test("the spool keeps nothing of a body that announces too great a length")
    func tooLong() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(50_000, isKnown: true), limit: 40_000, folder: folder)
        #expect(spool.contentLength == 50_000)
        #expect(spool.canReplay)
        // Before its first byte the spool gives the body any number of times.
        _ = try spool.stream()
        let stream = try spool.stream()
        #expect(stream.contentLength == 50_000)
        _ = try read(stream, upTo: 1)
        #expect(!spool.canReplay)
        #expect(isSameBytes(try read(stream), NonReplayableStream.bytes(50_000).dropFirst()))
    }

    @Test("the spool sends the body once where it can make no file")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        let spool = BodySpool(
            NonReplayableStream(50_000),
            memoryLimit: 10_000,
            folder: URL(filePath: folder.path("missing"))
        )
        #expect(isSameBytes(try read(spool.stream()), NonReplayableStream.bytes(50_000)))
        let error = #expect(throws: URLError.self) { try spool.stream() }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(error?.detail.contains("missing") == true)
    }

    @Test("a stream of an earlier attempt takes nothing from the next")
    func earlierTry() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(50_000), folder: folder)
        let old = try spool.stream()
        _ = try read(old, upTo: 10)
        let new = try spool.stream()
        let error = #expect(throws: URLError.self) { try read(old) }
        #expect(error?.code == .cancelled)
        #expect(!old.seek(to: 0))
        #expect(isSameBytes(try read(new), NonReplayableStream.bytes(50_000)))
    }

    @Test("a source that fails ends each attempt, after the bytes before")
    func failing() throws {
        let folder = try TemporaryFolder()
        let spool = spool(NonReplayableStream(50_000, failsAt: 20_000), folder: folder)
        for _ in 1...2 {
            let stream = try spool.stream()
            #expect(isSameBytes(try read(stream, upTo: 20_000), NonReplayableStream.bytes(20_000)))
            let error = #expect(throws: URLError.self) { try read(stream) }
            #expect(error?.code == .cannotOpenFile)
        }
    }

    @Test("a source that can seek is its own memory")
    func goesBack() throws {
        let folder = try TemporaryFolder()
        let bytes = NonReplayableStream.bytes(80_000)
        let spool = spool(DataBodyStream(Data(bytes)), memory: 0, limit: 8, folder: folder)
        for part in [80_000, 10, 70_000] {
            let stream = try spool.stream()
            #expect(isSameBytes(try read(stream, upTo: part), bytes.prefix(part)))
            #expect(stream.seek(to: 5))
            #expect(isSameBytes(try read(stream, upTo: 20), bytes[5..<25]))
        }
        #expect(isSameBytes(try read(spool.stream()), bytes))
        #expect(spool.canReplay)
    }

    @Test("the spool waits for a pipe without data, also on a second attempt, and then reads it")
    func pipes() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let folder = try TemporaryFolder()
        let spool = spool(DescriptorBodyStream(reader), folder: folder)
        func next(_ stream: any HTTPBodyStream) throws -> HTTPBodyStreamRead {
            var space = [UInt8](repeating: 0, count: 100)
            return try space.withUnsafeMutableBytes { try stream.read(into: $0) }
        }
        let first = try spool.stream()
        #expect(try next(first) == .waitForReadable(reader))
        #expect(write(writer, "first ", 6) == 6)
        #expect(try next(first) == .bytes(6))
        let second = try spool.stream()
        #expect(try next(second) == .bytes(6))
        #expect(try next(second) == .waitForReadable(reader))
        #expect(write(writer, "last", 4) == 4)
        close(writer)
        #expect(try next(second) == .bytes(4))
        #expect(try next(second) == .end)
        #expect(try read(spool.stream()) == Array("first last".utf8))
    }

    @Test("the spool replays a large body, and keeps none of it in memory")
    func memory() throws {
        let folder = try TemporaryFolder()
        let length = 64 << 20
        let spool = BodySpool(NonReplayableStream(length), folder: URL(filePath: folder.path))
        var digests: [String] = []
        for _ in 1...2 {
            let stream = try spool.stream()
            guard var digest = MessageDigest(.sha256) else { return }
            var space = [UInt8](repeating: 0, count: 512 << 10)
            var total = 0
            while case .bytes(let count) = try space.withUnsafeMutableBytes({
                try stream.read(into: $0)
            }) {
                total += count
                digest.update(space[..<count])
                #expect(spool.bytesInMemory <= 1 << 20)
            }
            #expect(total == length)
            #expect(spool.bytesInMemory == 0)
            digests.append(digest.finish().hexText)
        }
        #expect(digests[0] == digests[1])
    }

    @Test("the spool's file on a file system without unnamed files loses its name at once")
    func fallback() throws {
        let folder = try TemporaryFolder()
        let descriptor = try UnnamedFile.makeAndUnlink(in: folder.path)
        defer { try? descriptor.close() }
        #expect(folder.names() == [])
        #expect(try descriptor.writeAll([1, 2, 3]) == 3)
        var status = stat()
        #expect(fstat(descriptor.rawValue, &status) == 0)
        #expect(status.st_nlink == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }
}
