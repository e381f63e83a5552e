import HTTPSemantics
import Testing

@Suite("Content-Range")
struct ContentRangeTests {
    @Test("a range of bytes is read with a length, without one, and as unsatisfied")
    func valid() {
        #expect(ContentRange("bytes 0-0/1") == .bytes(0...0, of: 1))
        #expect(ContentRange("Bytes 5-9/*") == .bytes(5...9, of: nil))
        #expect(ContentRange("bytes */12") == .unsatisfied(length: 12))
    }

    @Test(
        "a range that contradicts itself, or has another unit, is refused",
        arguments: [
            "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes 0-5", "items 0-1/2", "bytes */*",
            "bytes -1-2/5", "bytes 0-1/-5", "bytes 0-99999999999999999999/*", "bytes 0-1/2/3",
            "bytes 0-1-2/5", "bytes +0-1/5", "bytes 0-/5",
        ]
    )
    func invalid(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    /// Malformed values of Content-Range.
    @Test(
        "RFC 9110 §14.4 a malformed Content-Range is refused",
        arguments: [
            "bytes 0-1/\u{301}2", "bytes\u{301} 0-1/2", "bytes 0-\u{301}1/2", "\u{212A} 0-1/2",
            "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*", "bytes -/2",
            "bytes 5-1/9", "bytes -1-1/2", "bytes 0-1/", "bytes 0-1/+2", "bytes /2", "",
        ]
    )
    func outside(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
