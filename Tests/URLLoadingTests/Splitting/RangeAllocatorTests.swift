import TestSupport
import Testing

@testable import URLLoading

@Suite("Allocation of ranges to streams")
struct RangeAllocatorTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test("the allocator shares the free bytes evenly, the first response's share first")
    func shares() {
        var allocator = RangeAllocator(total: 64 * Self.mebibyte)
        allocator.open(0, 0..<allocator.total, among: 4)
        var parts: [Range<Int64>] = []
        for number in 1...3 {
            if let part = allocator.assign(number, among: 4 - number) { parts.append(part) }
        }
        #expect(parts == [16, 32, 48].map { $0 * Self.mebibyte..<($0 + 16) * Self.mebibyte })
        #expect(allocator.free.isEmpty)
    }

    @Test("an idle stream takes half of the largest remaining range")
    func steals() {
        var allocator = RangeAllocator(total: 16 * Self.mebibyte)
        allocator.open(0, 0..<allocator.total, among: 1)
        _ = allocator.grant(0, 4 * Self.mebibyte)
        let half = allocator.assign(1, among: 1)
        #expect(half == 10 * Self.mebibyte..<16 * Self.mebibyte)
        _ = allocator.grant(0, Self.mebibyte)
        let quarter = allocator.assign(2, among: 1)
        #expect(quarter == 13 * Self.mebibyte..<16 * Self.mebibyte)
    }

    @Test("the allocator does not share less than two pieces")
    func tooLittle() {
        var allocator = RangeAllocator(total: 2 * Self.mebibyte)
        allocator.open(0, 0..<allocator.total, among: 1)
        _ = allocator.grant(0, 1)
        let part = allocator.assign(1, among: 1)
        #expect(part == nil)
    }

    @Test("a stream does not stop before bytes without a stream, and takes them over")
    func supersedes() {
        var allocator = RangeAllocator(total: 8 * Self.mebibyte)
        allocator.open(0, 0..<allocator.total, among: 2)
        let part = allocator.assign(1, among: 1)
        #expect(part == 4 * Self.mebibyte..<8 * Self.mebibyte)
        let grant = allocator.grant(0, 4 * Self.mebibyte)
        #expect(grant == .init(count: 4 * Self.mebibyte, isEnough: false, superseded: 1))
        #expect(allocator.streams[1] == nil)
        let isWanted = allocator.begin(1, reach: 8 * Self.mebibyte)
        #expect(!isWanted, "its response comes too late")
        let rest = allocator.grant(0, 5 * Self.mebibyte)
        #expect(rest.count == 4 * Self.mebibyte)
    }

    @Test("a stream stops where another's response has begun")
    func stops() {
        var allocator = RangeAllocator(total: 8 * Self.mebibyte)
        allocator.open(0, 0..<allocator.total, among: 2)
        _ = allocator.assign(1, among: 1)
        let isWanted = allocator.begin(1, reach: 8 * Self.mebibyte)
        #expect(isWanted)
        let grant = allocator.grant(0, 5 * Self.mebibyte)
        #expect(grant == .init(count: 4 * Self.mebibyte, isEnough: true, superseded: nil))
    }

    @Test("a stream that ends frees the bytes that it did not write")
    func givesBack() {
        var allocator = RangeAllocator(total: 8 * Self.mebibyte, written: ByteRanges(0..<100))
        allocator.open(0, 100..<allocator.total, among: 1)
        _ = allocator.grant(0, 1_000)
        allocator.write(0, 400)
        #expect(allocator.received == 1_100)
        let stream = allocator.close(0)
        #expect(stream?.gained == 1_000)
        #expect(allocator.free == [500..<allocator.total])
        #expect(allocator.received == 500)
    }

    @Test("the streams write each byte once and leave none out, in any order of events")
    func covers() {
        for seed in UInt64(1)...150 {
            var world = SplitWorld(seed: seed)
            let isWhole = world.run()
            #expect(isWhole, "seed \(seed): \(world)")
        }
    }
}
