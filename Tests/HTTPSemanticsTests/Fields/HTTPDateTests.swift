import HTTPSemantics
import Testing

/// HTTP dates, and the texts that are none.
@Suite("Dates")
struct HTTPDateTests {
    /// Texts and the seconds since 1970 that each means.
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
        "RFC 9110 §5.6.7 one parser reads all three forms of a date, and no other form",
        arguments: dates
    )
    func date(text: String, seconds: Int?) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_798_675_199, "Wed, 30 Dec 2026 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func knownTimes(_ seconds: Int, _ text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }

    @Test func writtenDatesAreReadBack() {
        for day in stride(from: 0, to: 200_000, by: 13) {
            let seconds = day * 86_400 + (day * 7_919) % 86_400
            let text = HTTPDate.text(seconds)
            #expect(text.flatMap { HTTPDate.seconds($0) } == seconds, "\(text ?? "")")
        }
    }

    @Test(arguments: [-1, 253_402_300_800, .min, .max])
    func timesOutOfRangeHaveNoText(_ seconds: Int) {
        #expect(HTTPDate.text(seconds) == nil)
    }
}
