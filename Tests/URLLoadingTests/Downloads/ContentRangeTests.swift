import Testing

@testable import URLLoading

@Suite("Content-Range")
struct ContentRangeTests {
    @Test("bytes, with and without a length, and none at all")
    func valid() {
        #expect(ContentRange("bytes 0-0/1") == .bytes(0...0, of: 1))
        #expect(ContentRange("Bytes 5-9/*") == .bytes(5...9, of: nil))
        #expect(ContentRange("bytes */12") == .unsatisfied(length: 12))
    }

    @Test(
        "what contradicts itself, or is no range of bytes",
        arguments: [
            "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes 0-5", "items 0-1/2", "bytes */*",
            "bytes -1-2/5", "bytes 0-1/-5", "bytes 0-99999999999999999999/*", "bytes 0-1/2/3",
            "bytes 0-1-2/5", "bytes +0-1/5", "bytes 0-/5",
        ]
    )
    func invalid(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
