import HTTPSemantics
import Testing

@Suite("Dates of cookies")
struct CookieDateTests {
    @Test(
        "C-03 a cookie's date may have any of the forms that servers send",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01-Jan-1970 00:00:00 GMT", 0), ("Thu, 1 Jan 1970 0:0:0 UTC", 0),
            ("6-nOVember-1994 8:49:37.5:x", 784_111_777), ("1994 6th NOV 08:49:37", 784_111_777),
            ("Fri, 01-Jan-69 00:00:00 GMT", 3_124_224_000), ("1 Jan 70 00:00:00", 0),
            ("1 Jan 1601 00:00:00", -11_644_473_600), ("29 Feb 2000 00:00:00", 951_782_400),
            ("", nil), ("soon", nil), ("Thu, 01 Jan 1970", nil), ("01 Jan 00:00:00", nil),
            ("30 Feb 2000 00:00:00", nil), ("29 Feb 2001 00:00:00", nil), ("0 Jan 2000 0:0:0", nil),
            ("1 Jan 1600 00:00:00", nil), ("1 Jan 2000 24:00:00", nil), ("1 Jan 2000 0:60:0", nil),
            ("1 Jan 2000 0:0:60", nil), ("1 Jan 20000 0:0:0", nil), ("001 Jan 2000 0:0:0", nil),
        ] as [(String, Int?)]
    )
    func forms(text: String, seconds: Int?) {
        #expect(CookieDate.seconds(text) == seconds)
    }
}
