import Glibc
import SystemPackage

/// Some of a file's bytes.
package struct ByteRanges: Sendable, Hashable {
    /// In their order; none is empty, and none touches the next.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ bytes: Range<Int64>) {
        if !bytes.isEmpty { ranges = [bytes] }
    }

    /// Ranges that were written down; `nil` where they are empty, overlap or are out of order.
    init?(ordered ranges: [ClosedRange<Int64>]) {
        var last: Int64 = -1
        for range in ranges {
            guard range.lowerBound > last, range.upperBound < .max else { return nil }
            last = range.upperBound
            insert(contentsOf: range.lowerBound..<range.upperBound + 1)
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
        ranges = ranges.flatMap { range in
            [
                range.clamped(to: Int64.min..<bytes.lowerBound),
                range.clamped(to: bytes.upperBound..<Int64.max),
            ]
            .filter { !$0.isEmpty }
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

    /// What they leave out of a file of this length.
    package func gaps(upTo length: Int64) -> [Range<Int64>] {
        var gaps = ByteRanges(0..<max(0, length))
        for range in ranges { gaps.remove(contentsOf: range) }
        return gaps.ranges
    }
}

/// The bytes that a download's file has: of one that is written from its first byte on, a prefix.
package struct ReceivedRanges: Sendable, Hashable {
    package internal(set) var ranges: ByteRanges
    /// What is behind the file's last byte, where the file may have holes.
    package internal(set) var trailer: PartFileTrailer?
    /// zlib's CRC-32 of the bytes, where they are a prefix; `nil`: not known.
    private(set) var checksum: UInt32?

    init(_ ranges: ByteRanges, trailer: PartFileTrailer) {
        self.ranges = ranges
        self.trailer = trailer
    }

    /// The file's first bytes, so many of them, with their checksum where it is known.
    package init(prefix: Int64, checksum: UInt32? = nil) {
        ranges = ByteRanges(0..<max(0, prefix))
        self.checksum = checksum
    }

    /// How many bytes.
    package var count: Int64 { ranges.count }

    /// How many of them come one after the other from the file's first.
    package var prefix: Int64 { ranges.prefix }

    /// Takes bytes away at the end.
    mutating func remove(_ bytes: Range<Int64>) {
        ranges.remove(contentsOf: bytes)
        checksum = nil
    }

    /// Whether bytes are there behind others that are not.
    package var hasHoles: Bool { !ranges.isPrefix }
}

/// What is behind the last byte of a part file that has holes, so that no program takes it for the
/// beginning of the file, or for the whole.
///
/// A program that goes on at its end asks for what the server has not; one that compares its end
/// with the server's finds another. It is gone before the file gets its name.
package struct PartFileTrailer: Sendable, Hashable {
    /// Bytes.
    package static let length = 64
    private static let words = "\nURLLoading: it has holes "

    /// 32 hexadecimal digits, which the file's resume data has, too.
    let token: String

    /// A new one, unlike all others.
    init() {
        token = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexText
    }

    /// One that was written down; `nil` where the text cannot be one.
    init?(token: String) {
        guard token.utf8.count == 32, token.utf8.allSatisfy(\.isLowerHex) else { return nil }
        self.token = token
    }

    /// The trailer at the end of a file; `nil` where it has none.
    package init?(of path: String) {
        guard
            let file = try? FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .nonBlocking, .closeOnExec]
            )
        else { return nil }
        defer { try? file.close() }
        guard let status = FileStatus(descriptor: file.rawValue),
            status.size >= Int64(Self.length)
        else { return nil }
        let end = status.size - Int64(Self.length)
        let text = try? String(unsafeUninitializedCapacity: Self.length) { space in
            try file.read(fromAbsoluteOffset: end, into: UnsafeMutableRawBufferPointer(space))
        }
        guard let rest = text?.droppingBytes(of: Self.words) else { return nil }
        self.init(token: String(decoding: rest.utf8.prefix(32), as: UTF8.self))
    }

    /// Its bytes.
    var text: String {
        let text = "\(Self.words)\(token)\n"
        return text + String(repeating: "\n", count: max(0, Self.length - text.utf8.count))
    }
}
