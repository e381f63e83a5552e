import Testing

@testable import URLLoading

@Suite("Dates in fields")
struct OldDateTests {
    @Test("RFC 9110 §5.6.7 a validator's date may be of an obsolete form")
    func obsoleteValidators() throws {
        let old = "Sunday, 06-Nov-94 08:48:37 GMT"
        let fields = HTTPHeaderFields(["Last-Modified": old, "Date": "Sun Nov  6 08:49:37 1994"])
        #expect(EntityValidator(fields) == .lastModified(old))
        #expect(EntityValidator(entityTag: nil, lastModified: old) == .lastModified(old))
        let answer = try stored(["Last-Modified: \(old)"])
        #expect(CacheValidation.conditions(answer).map(\.name) == ["If-Modified-Since"])
    }

    /// Values of Retry-After.
    @Test(
        "T-11 a Retry-After of any length is a wait",
        arguments: [
            "0", "99999999999999999999", "9223372036854775807", "4294967297", "-1", "1e9", "nan",
            "",
            "Fri, 31 Dec 9999 23:59:59 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "\u{301}5",
            "5\u{301}",
        ]
    )
    func retryAfter(text: String) {
        for now in [0, 1e18, -1e18, Double.infinity, .nan] {
            let wait = RetryAfter.wait(text, date: nil, now: now)
            #expect(wait.map { $0 >= .zero && $0 <= .seconds(1 << 32) } ?? true)
        }
    }
}
