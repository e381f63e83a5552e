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

/// The limits of one frame for requests and pages with thousands of tasks.
enum BackgroundBatch {
    static let countLimit = 500
    /// The approximate bytes, of the 4 MiB that a frame may have.
    private static let sizeLimit = 1 << 20

    /// The first elements, as many as fit into a frame, and at least one.
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

    static func first(
        of records: ArraySlice<BackgroundTaskRecord>
    ) -> ArraySlice<BackgroundTaskRecord> {
        first(of: records) { $0 }
    }
}
