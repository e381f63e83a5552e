import FoundationEssentials

@testable import URLLoading

// Resume data, and the ranges in it.
extension FuzzTarget {
    private static let partSize: Int64 = 100

    static let downloads = [
        // Resume data, and after an empty line a response's Content-Range.
        FuzzTarget("resume-data") { input in
            let halves = input.bytes.split(separator: 0, maxSplits: 1)
            guard let first = halves.first, var data = try? ResumeData(Data(first)) else { return }
            check(data.receivedBytes > 0, "something has come")
            check(data.receivedBytes <= data.totalBytes ?? .max, "no more has come than there is")
            let again = try? ResumeData(data.encoded)
            check(again == data, "resume data reads as it was written")
            _ = data.request
            guard let file = part() else { return }
            data.identity = file.identity
            check(data.received.prefix >= 0, "a prefix is not negative")
            guard let point = ResumePoint(data, file, at: "\(ScratchFolder.path)/part") else {
                return
            }
            check((0...partSize).contains(point.start), "a download goes on in its file")
            checkRange(point, halves.count > 1 ? halves[1] : [])
        },
        FuzzTarget("byte-ranges") { input in
            var ranges = ByteRanges()
            for start in stride(from: 0, to: input.bytes.count - 16, by: 17) {
                let piece = input.bytes[start..<start + 17]
                func number(_ place: Int) -> Int64 {
                    let bytes = piece.dropFirst(place).prefix(8)
                    return bytes.reduce(0) { $0 << 8 | Int64($1) } & .max
                }
                let (one, other) = (number(1), number(9))
                let range = min(one, other)..<max(one, other)
                if piece[start] & 1 == 0 {
                    ranges.insert(contentsOf: range)
                } else {
                    ranges.remove(contentsOf: range)
                }
                inspect(ranges)
            }
        },
    ]

    private static func inspect(_ ranges: ByteRanges) {
        var last: Int64 = -1
        for range in ranges.ranges {
            check(!range.isEmpty && range.lowerBound > last, "ranges are ordered and apart")
            last = range.upperBound
        }
        check(ranges.count >= 0 && ranges.prefix >= 0, "a count is not negative")
        let gaps = ranges.gaps(upTo: .max)
        let sum = gaps.reduce(ranges.count) { $0 &+ Int64($1.count) }
        check(sum == .max, "ranges and gaps come to the whole")
        let ordered = ranges.ranges.map { $0.lowerBound...$0.upperBound - 1 }
        check(ByteRanges(ordered: ordered) == ranges, "ranges read as they were written")
    }

    /// A part file, created once.
    private static func part() -> FileStatus? {
        let path = "\(ScratchFolder.path)/part"
        if let status = FileStatus(path) { return status }
        return FileStatus(ScratchFolder.file("part", Array(repeating: 0x78, count: Int(partSize))))
    }

    private static func checkRange(_ point: ResumePoint, _ range: some Collection<UInt8>) {
        guard let url = URL(string: point.data.url) else { return }
        var fields = HTTPHeaderFields()
        fields.add(String(decoding: range, as: UTF8.self), to: "Content-Range")
        for status in [200, 206, 416] {
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: nil,
                headerFields: fields
            )
            guard case .continue(let range, let total) = point.verdict(on: response) else {
                continue
            }
            check(range.lowerBound == point.start, "a response continues at the requested byte")
            check(range.upperBound < total ?? .max, "a response ends within its file")
        }
    }
}
