import Testing

@testable import CurlMulti

@Suite("Attributes of a Set-Cookie")
struct SetCookieAttributesTests {
    private func attributes(_ line: String) -> SetCookieAttributes {
        Array(line.utf8).withUnsafeBytes { SetCookieAttributes($0) }
    }

    @Test(
        "the last Path attribute of the line is taken, as the server wrote it",
        arguments: [
            ("Set-Cookie: a=1", nil), ("Set-Cookie: a=1; Path=/x\r\n", "/x"),
            ("set-cookie: path=/x; Secure\r\n", nil), ("Set-Cookie: a=1;PATH = /x ;b\r\n", "/x"),
            ("Set-Cookie: a=1; Path=/x; path=/y\r\n", "/y"), ("Set-Cookie: a=1; Path\r\n", ""),
            ("Set-Cookie: a=1; Path=\"/x\"\r\n", "\"/x\""), ("Set-Cookie: a=1; Paths=/x\r\n", nil),
        ] as [(String, String?)]
    )
    func read(line: String, path: String?) {
        #expect(attributes(line).path == path)
    }

    @Test("the path of the line replaces libcurl's")
    func put() {
        let line = "#HttpOnly_h.example\tFALSE\t/dir/\tFALSE\t0\ta\tb"
        let own = "#HttpOnly_h.example\tFALSE\t/x\tFALSE\t0\ta\tb"
        #expect(attributes("Set-Cookie: a=b;Path=/x").put(into: line) == own)
        let plain = attributes("Set-Cookie: a=b").put(into: line)
        #expect(plain == own.replacing("/x", with: ""))
        #expect(attributes("Set-Cookie: a=b;Path=/x").put(into: "odd") == "odd")
    }

    @Test(
        "C-03 a cookie that ended in 1970 is over, which libcurl takes for 2070",
        arguments: [
            ("Expires=Thu, 01-Jan-70 00:00:01 GMT", "1"),
            ("expires=Thu, 01 Jan 1970 00:00:00 GMT", "1"),
            ("Expires=Thu, 01-Jan-70 00:00:01 GMT; Max-Age=5", "9"),
            ("Expires=Thu, 01-Jan-71 00:00:01 GMT", "9"), ("Expires=never", "9"), ("Secure", "9"),
        ]
    )
    func over(attribute: String, end: String) {
        let line = attributes("Set-Cookie: a=b; \(attribute)\r\n").put(
            into: "h\tFALSE\t/\tFALSE\t9\ta\tb"
        )
        #expect(line == "h\tFALSE\t\tFALSE\t\(end)\ta\tb")
    }
}
