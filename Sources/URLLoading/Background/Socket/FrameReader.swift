import FoundationEssentials

/// Extracts frames from a stream of bytes.
///
/// A frame is four bytes of length, big-endian, and that many bytes of JSON.
struct FrameReader {
    /// The longest content, bytes; a request with all its fields is shorter.
    static let lengthLimit = 4 << 20
    static let headLength = 4

    private var bytes: [UInt8] = []
    /// The number of consumed bytes.
    private var taken = 0

    mutating func push(_ piece: some Sequence<UInt8>) {
        if taken > 0, taken == bytes.count || taken > 64 << 10 {
            bytes.removeFirst(taken)
            taken = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The content of the next frame; `nil` if the frame is not complete.
    mutating func next() throws(FrameError) -> [UInt8]? {
        guard bytes.count - taken >= Self.headLength else { return nil }
        let length = bytes[taken..<taken + Self.headLength].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.lengthLimit else { throw .tooLong(length) }
        let start = taken + Self.headLength
        guard bytes.count - start >= length else { return nil }
        taken = start + length
        return Array(bytes[start..<taken])
    }

    /// Whether the stream may end here: not within a frame.
    var isAtBoundary: Bool { taken == bytes.count }

    static func frame(of message: some Encodable) throws(FrameError) -> [UInt8] {
        guard let content = try? JSONBytes.encode(message) else { throw .malformed }
        return try frame(content)
    }

    static func frame(_ content: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        let length = content.count
        guard length <= lengthLimit else { throw .tooLong(length) }
        return (0..<headLength).map { UInt8(truncatingIfNeeded: length >> (8 * (3 - $0))) }
            + content
    }
}

enum FrameError: Error, Hashable, Sendable {
    case tooLong(Int)
    case malformed
}

/// Counts the tasks of one frame, if a request or a reply has thousands of tasks.
struct BackgroundBatch {
    private static let countLimit = 500
    /// The approximate bytes, of the 4 MiB that a frame may have.
    private static let sizeLimit = 1 << 20

    private var count = 0
    private var size = 0

    /// Whether the next task fits into the frame; the first one always does.
    mutating func takes(_ record: BackgroundTaskRecord) -> Bool {
        count += 1
        size += record.size
        return count == 1 || count <= Self.countLimit && size <= Self.sizeLimit
    }

    static func first(
        of records: ArraySlice<BackgroundTaskRecord>
    ) -> ArraySlice<BackgroundTaskRecord> {
        var batch = Self()
        return records.prefix { batch.takes($0) }
    }
}
