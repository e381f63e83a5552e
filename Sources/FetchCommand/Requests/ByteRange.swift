import URLLoading

/// A range of a body, as in `Range` ([RFC 9110
/// §14.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2)).
enum ByteRange: Equatable, Sendable {
    /// From the first byte to the last one; both offsets count from 0, and are included.
    case between(Int64, Int64)
    case from(Int64)
    /// The last bytes of the body; the value is their number.
    case last(Int64)

    init(_ value: FlagValue) throws(UsageError) {
        guard let range = Self.read(value.text[...]) else {
            throw value.invalid(
                "is not a range of bytes",
                hint: "write it as 0-499, 500- or, for the last 500, -500; one range at a time"
            )
        }
        self = range
    }

    private static func read(_ text: Substring) -> ByteRange? {
        guard let (before, after) = text.split(atFirst: UInt8(ascii: "-")) else { return nil }
        switch (Int64(digits: before), Int64(digits: after)) {
        case (let first?, let last?) where first <= last: return .between(first, last)
        case (let first?, nil) where after.isEmpty: return .from(first)
        case (nil, let count?) where before.isEmpty && count > 0: return .last(count)
        default: return nil
        }
    }

    var field: String {
        switch self {
        case .between(let first, let last): "bytes=\(first)-\(last)"
        case .from(let first): "bytes=\(first)-"
        case .last(let count): "bytes=-\(count)"
        }
    }

    /// Whether a response's `Content-Range` is this range, or the part of it that exists.
    func fits(_ text: String?) -> Bool {
        guard let text, case .bytes(let part, let total) = ContentRange(text) else { return false }
        switch self {
        case .between(let first, let last):
            return part.lowerBound == first
                && (part.upperBound == last || part.upperBound + 1 == total)
        case .from(let first):
            return part.lowerBound == first && part.upperBound + 1 == total
        case .last(let count):
            guard let total else { return part.count == count }
            return part.upperBound + 1 == total && part.lowerBound == max(0, total - count)
        }
    }
}
