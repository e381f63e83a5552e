/// A `Content-Range` of bytes
/// ([RFC 9110 §14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
public enum ContentRange: Sendable, Hashable {
    /// These bytes, counted from 0, of this length; `nil` if the server does not know the length.
    case bytes(ClosedRange<Int64>, of: Int64?)
    /// No bytes, since the representation has only this length.
    case unsatisfied(length: Int64)

    /// Parses a field's value; `nil` if it is malformed, or contradicts itself.
    public init?(_ text: String) {
        let words = text.split(byte: 0x20, maxSplits: 1)
        guard words.count == 2, words[0].asciiLowercased == "bytes" else { return nil }
        let parts = words[1].split(byte: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let length = Int64(digits: parts[1])
        guard length != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*" {
            guard let length else { return nil }
            self = .unsatisfied(length: length)
            return
        }
        let ends = parts[0].split(byte: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(digits: ends[0]),
            let last = Int64(digits: ends[1]), first <= last, last < length ?? .max
        else { return nil }
        self = .bytes(first...last, of: length)
    }
}
