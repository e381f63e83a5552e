import Testing

@testable import CurlMulti

@Suite("The path of a Set-Cookie")
struct SetCookiePathTests {
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
        let found = Array(line.utf8).withUnsafeBytes { SetCookiePath.path(in: $0) }
        #expect(found == path)
    }

    @Test("the path of the line replaces libcurl's")
    func put() {
        let line = "#HttpOnly_h.example\tFALSE\t/dir/\tFALSE\t0\ta\tb"
        let own = "#HttpOnly_h.example\tFALSE\t/x\tFALSE\t0\ta\tb"
        #expect(SetCookiePath.put("/x", into: line) == own)
        #expect(SetCookiePath.put(nil, into: line) == own.replacing("/x", with: ""))
        #expect(SetCookiePath.put("/x", into: "odd") == "odd")
    }
}
