import TestSupport
import Testing

@testable import URLLoading

@Suite("Ranges of bytes")
struct ByteRangesTests {
    @Test("ranges that touch are joined")
    func joins() {
        var ranges = ByteRanges(10..<20)
        ranges.insert(contentsOf: 30..<40)
        ranges.insert(contentsOf: 0..<5)
        #expect(Array(ranges.ranges) == [0..<5, 10..<20, 30..<40])
        ranges.insert(contentsOf: 20..<30)
        #expect(Array(ranges.ranges) == [0..<5, 10..<40])
        ranges.insert(contentsOf: 3..<50)
        #expect(Array(ranges.ranges) == [0..<50])
        #expect(ranges.isPrefix)
    }

    @Test("gaps are the numbers outside the ranges")
    func gaps() {
        var ranges = ByteRanges(10..<20)
        ranges.insert(contentsOf: 30..<40)
        #expect(ranges.gaps(upTo: 50) == [0..<10, 20..<30, 40..<50])
        #expect(ranges.gaps(upTo: 40) == [0..<10, 20..<30])
        #expect(ranges.prefix == 0)
        #expect(ByteRanges().gaps(upTo: 3) == [0..<3])
        #expect(ranges.gaps(upTo: 15) == [0..<10])
        #expect(ranges.gaps(upTo: 25) == [0..<10, 20..<25])
        #expect(ranges.gaps(upTo: -1).isEmpty)
    }

    @Test("ranges lose the removed bytes")
    func removes() {
        var ranges = ByteRanges(0..<100)
        ranges.remove(contentsOf: 40..<60)
        #expect(Array(ranges.ranges) == [0..<40, 60..<100])
        ranges.remove(contentsOf: 0..<70)
        #expect(Array(ranges.ranges) == [70..<100])
    }

    @Test("ranges refuse a list that is out of order or overlaps")
    func ordered() {
        #expect(ByteRanges(ordered: [0...4, 10...19])?.ranges == [0..<5, 10..<20])
        #expect(ByteRanges(ordered: [0...4, 5...9, 11...19])?.ranges == [0..<10, 11..<20])
        #expect(ByteRanges(ordered: [0...4, 4...19]) == nil)
        #expect(ByteRanges(ordered: [10...19, 0...4]) == nil)
        #expect(ByteRanges(ordered: [-1...4]) == nil)
        #expect(ByteRanges(ordered: [0...Int64.max]) == nil)
    }

    @Test("ranges equal a set of numbers after any insertions and removals")
    func asSet() {
        var random = PseudoRandom(seed: 7)
        var ranges = ByteRanges()
        var set: Set<Int64> = []
        for _ in 0..<2_000 {
            let start = Int64.random(in: 0..<200, using: &random)
            let range = start..<start + Int64.random(in: 0..<30, using: &random)
            if Bool.random(using: &random) {
                ranges.insert(contentsOf: range)
                set.formUnion(range)
            } else {
                ranges.remove(contentsOf: range)
                set.subtract(range)
            }
            #expect(Set(ranges.ranges.flatMap { Array($0) }) == set)
            #expect(ranges.count == Int64(set.count))
            #expect(
                zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy {
                    $0.upperBound < $1.lowerBound
                }
            )
        }
    }
}
