import Testing

@testable import URLLoading

/// The dates of HTTP's fields, and what is made of them.
@Suite("Dates")
struct HTTPDateTests {
    /// Texts and the seconds since 1970 that each says.
    private static let dates: [(String, Int?)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Wed, 01 Jan 2300 00:00:00 GMT", 10_413_792_000),
        ("Wed Jan  1 00:00:00 2300", 10_413_792_000),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sunday, 06-Nov-+4 08:49:37 GMT", nil),
        ("Sunday, 06-Nov-9\u{301} 08:49:37 GMT", nil),
        ("Sunday,\u{301} 06-Nov-94 08:49:37 GMT", nil),
        ("Sun, 00 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 0000 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 99999 08:49:37 GMT", nil),
        ("Sun Nov 6 08:49:37 99999999999999999999", nil), ("a b c d e", nil), ("    ", nil),
        ("", nil),
        ("Sun, 06 Nov 1994 08:49:37 GMT ", nil), ("Sun, 06 Nov 1994 08:49:37 \u{212A}MT", nil),
        ("- - - - -", nil), ("--,- --- -- GMT", nil),
    ]

    @Test(
        "RFC 9110 §5.6.7 one reader takes all three forms of a date, and no other",
        arguments: dates
    )
    func date(text: String, seconds: Int?) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

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
