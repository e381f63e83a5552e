/// Some of a file's bytes: ranges in their order, of which none touches the next.
package struct ByteRanges: Sendable, Hashable {
    package private(set) var ranges: [Range<Int64>] = []

    /// No bytes.
    package init() {}

    /// These bytes.
    package init(_ range: Range<Int64>) {
        insert(range)
    }

    /// Ranges that were written down; `nil` where they are empty, overlap or are out of order.
    init?(ordered ranges: [ClosedRange<Int64>]) {
        var last: Int64 = -1
        for range in ranges {
            guard range.lowerBound > last, range.upperBound < .max else { return nil }
            last = range.upperBound
            insert(range.lowerBound..<range.upperBound + 1)
        }
    }

    /// How many bytes.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// How many of them come one after the other from the file's first.
    package var prefix: Int64 {
        ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    }

    /// Whether they come one after the other from the file's first.
    package var isPrefix: Bool { prefix == count }

    /// Adds bytes, some of which may be there.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let start = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        let end =
            ranges[start...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
        let touched = ranges[start..<end]
        let joined =
            min(
                range.lowerBound,
                touched.first?.lowerBound ?? .max
            )..<max(range.upperBound, touched.last?.upperBound ?? .min)
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(joined))
    }

    /// Takes bytes out, some of which may not be there.
    mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        ranges = ranges.flatMap { own -> [Range<Int64>] in
            guard own.overlaps(range) else { return [own] }
            return [
                own.lowerBound..<max(own.lowerBound, range.lowerBound),
                min(own.upperBound, range.upperBound)..<own.upperBound,
            ].filter { !$0.isEmpty }
        }
    }

    /// What they leave out of a file of this length.
    package func gaps(upTo length: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var next: Int64 = 0
        for range in ranges where range.lowerBound < length {
            if range.lowerBound > next { gaps.append(next..<range.lowerBound) }
            next = range.upperBound
        }
        if next < length { gaps.append(next..<length) }
        return gaps
    }
}
