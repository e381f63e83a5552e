import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// Sizes, dates and counts from a server or a file may be anything.
@Suite("Numbers from outside")
struct OutsideNumberTests {
    @Test("T-10 a file of the year 2300, or of before the epoch, has an identity")
    func farTimes() throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("x", to: "a")
        var known: Set<Int64> = []
        for seconds in [10_413_792_000, 10_413_792_001, -1, -10_000_000_000, 15_032_385_535] {
            try folder.setModified(seconds, of: "a")
            let status = try #require(FileStatus(folder.path("a")))
            // A file system may keep no such time, and report another.
            if status.modified == seconds { known.insert(status.identity.modified) }
        }
        #expect(!known.isEmpty)
        for seconds in [Int.min, -1, 0, 9_223_372_037, .max] {
            let one = timespec(tv_sec: seconds, tv_nsec: 0).nanoseconds
            #expect(one != timespec(tv_sec: seconds, tv_nsec: 1).nanoseconds)
        }
    }

    @Test(
        "C-01 the cache counts its folder again if the count is damaged",
        arguments: [
            [Int64.max, 0], [.max, .max], [.min, .min], [-1, 1], [0, .max], [.min, 0],
        ]
    )
    func usage(numbers: [Int64]) throws {
        let folder = try TestSupport.TemporaryFolder()
        let bytes = numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
        try folder.makeFolder("cache")
        chmod(folder.path("cache"), 0o700)
        try folder.write(bytes, to: "cache/usage")
        let store = DiskStore(folder.path("cache"))
        let request = try asked()
        let body = MemoryBody(Data("hello".utf8))
        let response = try stored(["ETag: \"a\""], to: request)
        #expect(store.usage >= 0)
        #expect(store.store(response, body, nil, nil, capacity: 1 << 20))
        store.remove(request.key)
        #expect(store.store(response, body, nil, nil, capacity: 1 << 20))
        #expect(store.lookUp(request) != nil)
        guard var usage = DiskUsage(folder.path("cache")) else {
            Issue.record("no count")
            return
        }
        usage.set(.max, before: .min)
        usage.add(.max)
        usage.add(.min)
        #expect(DiskUsage.size(.max) > 0)
    }

    @Test("C-01 a stored response may carry any times and any length")
    func storedResponses() throws {
        for time in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0] {
            var response = try stored(["Age: 99999999999999999999", "Expires: 0"])
            response.requestTime = -time
            response.responseTime = time
            let head = response.head(now: moment, length: 1, isValidated: false)
            #expect(head.fields["Age"].flatMap { Int($0) } != nil)
            _ = CacheVerdict(
                try asked(),
                policy: .useProtocolCachePolicy,
                stored: response,
                now: moment
            )
        }
        let body = FileBody(
            descriptor: open("/dev/null", O_RDONLY),
            start: 4_096,
            length: .max,
            checksum: 0
        )
        #expect(!body.isWhole)
    }

    /// Received bytes, the whole, and the file's recorded size.
    private static let counts: [(Int64, Int64?, Int64)] = [
        (1, .max, 0), (.max, .max, 0), (1, nil, 0), (7, .max, 7), (.max, .max, 7), (1, .max, .max),
    ]

    @Test("T-08 resume data may carry any counts", arguments: counts)
    func resumeCounts(received: Int64, total: Int64?, size: Int64) throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write([UInt8](repeating: 1, count: size == 7 ? 7 : 0), to: "a")
        let file = try #require(FileStatus(folder.path("a")))
        for isThat in [true, false] {
            var data = ResumeData(
                url: "http://h/a",
                fields: [],
                validator: .entityTag("\"a\""),
                received: ReceivedRanges(prefix: received),
                totalBytes: total,
                file: .partFile(folder.path("a")),
                identity: FileIdentity(
                    device: file.identity.device,
                    inode: file.identity.inode,
                    size: isThat ? file.size : size,
                    modified: isThat ? file.identity.modified : .min,
                    boot: ""
                )
            )
            #expect(
                (ResumePoint(data, file, at: folder.path("a")) == nil) == (received != 7 || !isThat)
            )
            data.received = ReceivedRanges(ByteRanges(0..<received), trailer: PartFileTrailer())
            _ = ResumePoint(data, file, at: folder.path("a"))
        }
    }

    @Test("T-08 the client splits a file of any length, and shares its last bytes")
    func splitCounts() throws {
        for total: Int64 in [Int64.max, Int64.max - 1, Int64.max - (1 << 20)] {
            for sharers in 1...3 {
                var allocator = RangeAllocator(total: total)
                allocator.open(0, 0..<total, among: sharers)
                for number in 1...4 { _ = allocator.assign(number, among: 1) }
                _ = allocator.begin(1, reach: total)
                for number in 0...4 { _ = allocator.grant(number, .max) }
                #expect(allocator.received >= 0)
            }
            let tail = try #require(ByteRanges(ordered: [Int64(0)...(total - 5_000_000)]))
            var allocator = RangeAllocator(total: total, written: tail)
            allocator.open(0, (total - 4_999_999)..<total, among: 1)
            for number in 0...2 {
                _ = allocator.assign(number + 1, among: 1)
                _ = allocator.grant(number, .max)
            }
        }
        #expect(ByteRanges(ordered: [0...Int64.max]) == nil)
        #expect(ByteRanges(ordered: [Int64.min...0]) == nil)
    }
}
