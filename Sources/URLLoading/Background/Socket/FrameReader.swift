import FoundationEssentials

/// Takes frames out of a stream of bytes, in whatever pieces it comes: four bytes of length, the
/// highest first, and so many bytes of JSON.
struct FrameReader {
    /// The longest content, bytes: a request with all its fields has less.
    static let lengthLimit = 4 << 20
    static let headLength = 4

    private var bytes: [UInt8] = []
    /// What of them has been taken.
    private var taken = 0

    /// Adds what has come.
    mutating func push(_ piece: some Sequence<UInt8>) {
        if taken > 0, taken == bytes.count || taken > 64 << 10 {
            bytes.removeFirst(taken)
            taken = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next whole frame's content; `nil` where more has to come.
    ///
    /// Throws `tooLong`, as soon as its length has come: nothing of it is waited for.
    mutating func next() throws(FrameError) -> [UInt8]? {
        guard bytes.count - taken >= Self.headLength else { return nil }
        let length = bytes[taken..<taken + Self.headLength].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.lengthLimit else { throw .tooLong(length) }
        let start = taken + Self.headLength
        guard bytes.count - start >= length else { return nil }
        taken = start + length
        return Array(bytes[start..<taken])
    }

    /// Whether the stream may end here: in no frame's middle.
    var isAtBoundary: Bool { taken == bytes.count }

    /// A message as a frame.
    ///
    /// Throws `tooLong`.
    static func frame(of message: some Encodable) throws(FrameError) -> [UInt8] {
        guard let content = try? JSONBytes.encode(message) else { throw .malformed }
        return try frame(content)
    }

    /// A content as a frame.
    ///
    /// Throws `tooLong`.
    static func frame(_ content: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        let length = content.count
        guard length <= lengthLimit else { throw .tooLong(length) }
        return (0..<headLength).map { UInt8(truncatingIfNeeded: length >> (8 * (3 - $0))) }
            + content
    }
}

/// What is wrong with what came over a socket.
enum FrameError: Error, Hashable, Sendable {
    /// A frame announces more bytes than one may have.
    case tooLong(Int)
    /// It is none of the messages that there are.
    case malformed
}

/// How much is said in one frame where there may be thousands of something.
enum BackgroundBatch {
    /// How many at most.
    static let countLimit = 500
    /// How many bytes, about, of the 4 MiB that a frame may have.
    private static let sizeLimit = 1 << 20

    /// The first of some records, as many as go into a frame; one at least.
    ///
    /// - Parameters:
    ///   - records: all of them.
    ///   - record: what is written down of each.
    /// - Returns: the first.
    static func first<Element>(
        of records: ArraySlice<Element>,
        _ record: (Element) -> BackgroundTaskRecord
    ) -> ArraySlice<Element> {
        var size = 0
        return records.prefix(countLimit).prefix { element in
            let isFirst = size == 0
            size += record(element).size
            return isFirst || size <= sizeLimit
        }
    }

    /// The first of some records; one at least.
    static func first(
        of records: ArraySlice<BackgroundTaskRecord>
    ) -> ArraySlice<BackgroundTaskRecord> {
        first(of: records) { $0 }
    }
}

extension BackgroundTaskRecord {
    /// What no task comes to, bytes: a frame has room for it, whatever has to be escaped.
    static let sizeLimit = 512 << 10

    /// What it comes to in a frame, bytes, about.
    var size: Int {
        512 + request.url.utf8.count + request.fields.size + (configuration?.utf8.count ?? 0)
            + (resumeData?.count ?? 0) * 4 / 3
    }
}
