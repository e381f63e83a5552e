import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Cookie files")
struct CookieFileTests {
    private func read(_ text: String) -> CookieFile.Content {
        CookieFile.read(Data(text.utf8))
    }

    @Test("C-03 curl's and wget's lines are parsed")
    func lines() {
        let content = read(
            """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            #HttpOnly_.example.com\tTRUE\t/p\tTRUE\t4102444800\ta\t1=2
            example.com\tFALSE\t/\tFALSE\t0\tb\tx y
            # a comment\twith\ttabs
            sub.example.com\tTRUE\t/\tFALSE\t4102444800.25\tc\r
            .Example.COM\tFALSE\t"/x"\tfalse\t0\td\t
            """
        )
        #expect(content.invalidLines.isEmpty)
        #expect(content.cookies.map(\.name) == ["a", "b", "c", "d"])
        #expect(
            content.cookies.map(\.domain) == [
                ".example.com", "example.com", ".sub.example.com", "example.com",
            ]
        )
        let first = content.cookies.first
        #expect(first?.isHTTPOnly == true && first?.isSecure == true && first?.value == "1=2")
        #expect(content.cookies.map(\.value) == ["1=2", "x y", "", ""])
        #expect(content.cookies.map(\.path) == ["/p", "/", "/", "/x"])
        #expect(content.cookies.map(\.isSessionOnly) == [false, true, false, true])
    }

    @Test("a port that wget writes does not belong to the domain")
    func port() {
        let lines = ["127.0.0.1:8080", "::1", "h.example:", "localhost:80"]
        let text = lines.map { "\($0)\tFALSE\t/\tFALSE\t0\ta\tb\n" }.joined()
        #expect(read(text).cookies.map(\.domain) == ["127.0.0.1", "::1", "h.example", "localhost"])
    }

    @Test("a written cookie is read again")
    func roundTrip() {
        let cookies = [
            cookie("a", "b=c d", domain: ".example.com", path: "/x", expires: farAhead),
            cookie("z", "", expires: nil, isSecure: true), cookie("old", expires: -5),
        ]
        let text = cookies.map { $0.fileLine + "\n" }.joined()
        let again = read(text).cookies
        #expect(again.prefix(2) == cookies.prefix(2))
        #expect(again.last?.hasExpired(.now) == true)
    }

    static let strange = [
        "not a cookie", "a\r", "a\r\r", "a\tb", "e.com\tYES\t/\tFALSE\t0\ta\tb",
        "e.com\tTRUE\t/\tFALSE\tx\ta\tb",
        "\tTRUE\t/\tFALSE\t0\ta\tb", "e.com\tTRUE\t/\tFALSE\t0\t\tb",
        "e\u{7}\tTRUE\t/\tTRUE\t0\ta\tb",
        "e.com\tTRUE\t/\tFALSE\tnan\ta\tb", "e.com\tTRUE\t/\tFALSE\t0\ta\tb\tc",
        "e.com\tTRUE\t/\tFALSE\t0\ta\tb;c", "e.com\tTRUE\t/\tFALSE\t-1\ta\tb",
        "e.com TRUE / FALSE 0 a b", ".com\tTRUE\t/\tFALSE\t0\ta\tb",
        ".co.uk\tTRUE\t/\tFALSE\t0\ta\tb", "co.uk.\tTRUE\t/\tFALSE\t0\ta\tb",
        ".e.co.uk.\tTRUE\t/\tFALSE\t0\ta\tb",
    ]

    @Test("C-03 an unusable line is reported, and stays in the file", arguments: strange)
    func foreign(line: String) throws {
        let text = "e.com\tTRUE\t/\tFALSE\t0\ta\tb\n\(line)\n"
        let content = read(text)
        #expect(content.invalidLines.map(\.number) == [2])
        #expect(content.warnings.count == 1 && content.warnings[0].contains("line 2 "))
        #expect(content.cookies.count == 1 && content.formatError == nil)
        var changes = StateChanges<CookieKey, HTTPCookie>()
        changes.note(CookieKey(cookie("n")), cookie("n", expires: farAhead))
        let merged = try CookieFile.merged(
            Data(text.utf8),
            path: "p",
            changes,
            .now,
            keepsSessionCookies: true
        )
        let again = CookieFile.read(try #require(merged))
        #expect(again.cookies.map(\.name) == ["a", "n"])
        #expect(again.invalidLines.map(\.bytes) == [Data(line.utf8)])
    }

    @Test(
        "C-03 a file without any line of a cookie file is no cookie file",
        arguments: strange.prefix(4)
    )
    func other(line: String) {
        #expect(read(line + "\n\n# words\n").formatError?.contains("line 1 ") == true)
        #expect(read("# Netscape HTTP Cookie File\n\(line)\n").formatError == nil)
    }

    @Test("C-03 a byte order mark, blank and empty lines are ignored")
    func byteOrderMark() {
        let content = read("\u{FEFF}e.com\tTRUE\t/\tFALSE\t0\ta\tb\n  \n\t\r\n\n")
        #expect(content.cookies.map(\.name) == ["a"])
        #expect(content.invalidLines.isEmpty)
        #expect(read("\u{FEFF}# Netscape HTTP Cookie File\njunk\n").formatError == nil)
    }

    @Test("C-03 a local network's name is no public suffix, and a suffix may be a host's name")
    func ownNetwork() {
        let text = ".intranet\tTRUE\t/\tFALSE\t0\ta\tb\nco.uk\tFALSE\t/\tFALSE\t0\tc\td\n"
        #expect(read(text).cookies.map(\.name) == ["a", "c"])
    }

    @Test("bytes that are no text are reported")
    func binary() {
        let content = CookieFile.read(Data([0x89, 0x50, 0x00, 0xFF, 0x0A]))
        #expect(content.invalidLines.map(\.number) == [1])
        #expect(content.formatError != nil)
    }

    @Test("C-03 cookies of other writers stay, and expired ones are removed")
    func merged() throws {
        let theirs = [
            cookie("keep", expires: farAhead), cookie("gone", expires: farAhead),
            cookie("ended", expires: 5), cookie("ours", "old", expires: farAhead),
        ]
        let data = Data(theirs.map { $0.fileLine + "\n" }.joined().utf8)
        var changes = StateChanges<CookieKey, HTTPCookie>()
        changes.note(CookieKey(cookie("ours")), cookie("ours", "new", expires: farAhead))
        changes.note(CookieKey(cookie("gone")), nil)
        changes.note(CookieKey(cookie("session")), cookie("session"))
        func merge(_ keeps: Bool, _ data: Data?) throws -> [String]? {
            try CookieFile.merged(data, path: "p", changes, .now, keepsSessionCookies: keeps)
                .map { CookieFile.read($0).cookies.map { "\($0.name)=\($0.value)" } }
        }
        #expect(try merge(false, data) == ["keep=1", "ours=new"])
        #expect(try merge(true, data) == ["keep=1", "ours=new", "session=1"])
        #expect(try merge(false, nil) == ["ours=new"])
        #expect(
            try CookieFile.merged(
                nil,
                path: "p",
                StateChanges(),
                .now,
                keepsSessionCookies: true
            ) == nil
        )
    }
}
