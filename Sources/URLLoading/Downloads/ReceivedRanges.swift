import Glibc
import SystemPackage

/// A set of byte ranges of a file.
package struct ByteRanges: Sendable, Hashable {
    /// In ascending order; none is empty, and no two touch.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ bytes: Range<Int64>) {
        if !bytes.isEmpty { ranges = [bytes] }
    }

    /// The ranges of stored resume data; `nil` where they are empty, overlap or are out of order.
    init?(ordered ranges: [ClosedRange<Int64>]) {
        var last: Int64 = -1
        for range in ranges {
            guard range.lowerBound > last, range.upperBound < .max else { return nil }
            // Ranges that touch are one.
            if last == range.lowerBound - 1, let before = self.ranges.popLast() {
                self.ranges.append(before.lowerBound..<range.upperBound + 1)
            } else {
                self.ranges.append(range.lowerBound..<range.upperBound + 1)
            }
            last = range.upperBound
        }
    }

    package mutating func insert(contentsOf bytes: Range<Int64>) {
        guard !bytes.isEmpty else { return }
        let start = ranges.firstIndex { $0.upperBound >= bytes.lowerBound } ?? ranges.endIndex
        let end =
            ranges[start...].firstIndex { $0.lowerBound > bytes.upperBound } ?? ranges.endIndex
        var whole = bytes
        if start < end {
            let first = min(bytes.lowerBound, ranges[start].lowerBound)
            whole = first..<max(bytes.upperBound, ranges[end - 1].upperBound)
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(whole))
    }

    package mutating func remove(contentsOf bytes: Range<Int64>) {
        guard !bytes.isEmpty else { return }
        let (before, behind) = (Int64.min..<bytes.lowerBound, bytes.upperBound..<Int64.max)
        ranges = ranges.flatMap { [$0.clamped(to: before), $0.clamped(to: behind)] }
        ranges.removeAll(where: \.isEmpty)
    }

    /// The number of bytes.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The offset behind the last byte.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// The number of consecutive bytes from offset 0.
    package var prefix: Int64 {
        ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    }

    /// Whether the bytes are consecutive from offset 0.
    package var isPrefix: Bool { prefix == count }

    /// The ranges missing from a file of this length.
    package func gaps(upTo length: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start: Int64 = 0
        for range in ranges where range.lowerBound < length {
            if range.lowerBound > start { gaps.append(start..<range.lowerBound) }
            start = max(start, range.upperBound)
        }
        if start < length { gaps.append(start..<length) }
        return gaps
    }
}

/// The bytes that a download's file has; a prefix if the download writes the file in order.
package struct ReceivedRanges: Sendable, Hashable {
    package internal(set) var ranges: ByteRanges
    /// The trailer behind the file's last byte, where the file may have holes.
    package internal(set) var trailer: PartFileTrailer?
    /// zlib's CRC-32 of the bytes, where they are a prefix; `nil`: unknown.
    private(set) var checksum: UInt32?

    init(_ ranges: ByteRanges, trailer: PartFileTrailer) {
        self.ranges = ranges
        self.trailer = trailer
    }

    /// The first `prefix` bytes of a file, with their checksum if it is known.
    package init(prefix: Int64, checksum: UInt32? = nil) {
        ranges = ByteRanges(0..<max(0, prefix))
        self.checksum = checksum
    }

    package var count: Int64 { ranges.count }
    package var end: Int64 { ranges.end }
    package var prefix: Int64 { ranges.prefix }

    mutating func remove(_ bytes: Range<Int64>) {
        ranges.remove(contentsOf: bytes)
        checksum = nil
    }

    /// Whether a gap lies before some of the bytes.
    package var hasHoles: Bool { !ranges.isPrefix }
}

/// Text behind the last byte of a part file with holes, so that other programs do not mistake the file
/// for a prefix or for the whole.
///
/// A program that continues at the file's end requests bytes that the server does not have. A program that
/// compares the end with the server's finds a difference. The download cuts the trailer off before the final
/// rename.
package struct PartFileTrailer: Sendable, Hashable {
    /// Bytes.
    package static let length = 64
    private static let words = "\nURLLoading: it has holes "

    /// 32 hexadecimal digits, which are also in the file's resume data.
    let token: String

    /// A new trailer with a random token.
    init() {
        token = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexText
    }

    /// The trailer of stored resume data; `nil` where the text is not a token.
    init?(token: String) {
        guard token.utf8.count == 32, token.utf8.allSatisfy(\.isLowerHex) else { return nil }
        self.token = token
    }

    /// The trailer at the end of a file; `nil` where the file has none.
    package init?(of path: String) {
        guard let (file, status) = try? FileStatus.open(path, .noFollow) else { return nil }
        defer { try? file.close() }
        guard status.size >= Int64(Self.length) else { return nil }
        let end = status.size - Int64(Self.length)
        let text = try? String(unsafeUninitializedCapacity: Self.length) { space in
            try file.read(fromAbsoluteOffset: end, into: UnsafeMutableRawBufferPointer(space))
        }
        guard let rest = text?.droppingBytes(of: Self.words) else { return nil }
        self.init(token: String(decoding: rest.utf8.prefix(32), as: UTF8.self))
    }

    var text: String {
        let text = "\(Self.words)\(token)\n"
        return text + String(repeating: "\n", count: max(0, Self.length - text.utf8.count))
    }
}
