import Testing
import URLLoading

@testable import FetchCommand

@Suite struct FileNameTests {
    @Test(arguments: [
        ("http://h/a/b.txt", "b.txt"), ("http://h/b.txt?q=/x#/y", "b.txt"),
        ("http://h", "index.html"),
        ("http://h/", "index.html"), ("http://h/d/", "index.html"), ("http://h/?q", "index.html"),
        ("http://h?q=a/b", "index.html"), ("http://h#f", "index.html"),
        ("http://h/a%20b", "a b"), ("http://h/%C3%BC", "ü"), ("http://h/ü", "ü"),
        ("http://h/..", "index.html"), ("http://h/.", "index.html"),
        ("http://h/%2e%2e", "index.html"),
        ("http://h/%2E", "index.html"), ("http://h/%2e%2e%2f", "_.._"),
        ("http://h/%2e%2e%2fetc%2fpasswd", "_.._etc_passwd"),
        ("http://h/%2fetc%2fpasswd", "_etc_passwd"),
        ("http://h/.bashrc", "_.bashrc"), ("http://h/%2ebashrc", "_.bashrc"),
        ("http://h/...", "_..."),
        ("http://h/-rf", "_-rf"), ("http://h/%2drf", "_-rf"), ("http://h/a%00b", "a_b"),
        ("http://h/a%0d%0ab", "a__b"), ("http://h/a%1b[31m", "a_[31m"), ("http://h/a%7fb", "a_b"),
        ("http://h/a%C2%9bb", "a_b"), ("http://h/a%E2%80%AEgpj.exe", "a_gpj.exe"),
        ("http://h/%ff%fe", "%ff%fe"), ("http://h/a%zz", "a%zz"), ("http://h/a%2", "a%2"),
        ("http://h/%252e%252e", "%2e%2e"), ("http://h/a\\b", "a\\b"),
        ("http://h/x.part", "x.part_"),
        ("http://h/%00", "_"), ("http://h/%20", " "),
    ])
    func fromURLs(_ url: String, _ name: String) throws {
        #expect(FileName.from(try WebAddress(url)) == name)
    }

    @Test("the name of a part file stays short enough with its suffixes")
    func longNameOfAPart() throws {
        for end in [".part", ".part.resume", ".part.resume~"] {
            let long = String(repeating: "n", count: 300) + end
            let name = FileName.from(try WebAddress("http://h/\(long)"))
            #expect(name.utf8.count <= FileName.longest, "\(name)")
            #expect(!name.utf8.reversed().starts(with: end.utf8.reversed()), "\(name)")
        }
    }

    @Test(arguments: ["a", "ü", "日", "😀", "e\u{301}", ".", "-", "/", "\u{0}"])
    func longNamesAreCut(_ unit: String) {
        let name = FileName.safe(String(repeating: unit, count: 300))
        #expect(name.utf8.count <= FileName.longest)
        #expect(name.utf8.count > FileName.longest - 4)
        #expect(!name.unicodeScalars.contains("\u{fffd}"))
        #expect((name + ".part.resume.999").utf8.count <= 255)
    }

    @Test(arguments: [
        "", ".", "..", "...", "-", "--", "/", "//", "../x", "a/../b", "\u{1b}]0;x\u{7}", ".\0",
        "\n",
    ])
    func namesStayInsideTheFolder(_ name: String) {
        let safe = FileName.safe(name)
        #expect(!safe.isEmpty)
        #expect(!safe.utf8.contains(UInt8(ascii: "/")))
        #expect(!safe.utf8.contains { $0 < 0x20 || $0 == 0x7f })
        #expect(!safe.hasPrefix(".") && !safe.hasPrefix("-"))
    }

    @Test(arguments: [
        (String(repeating: "n", count: 300) + ".txt", ".txt", 239),
        (String(repeating: "日", count: 300) + ".tar.gz", ".tar.gz", 238),
        ("." + String(repeating: "n", count: 300) + ".é", ".é", 239),
        ("a." + String(repeating: "n", count: 300), "n", 239),
        (String(repeating: "n", count: 300) + ".", "n", 239),
        (String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 60) + ".png", "\u{1F469}.png", 235),
        ("e" + String(repeating: "\u{301}", count: 300) + ".md", "\u{301}.md", 238),
    ])
    func longNamesKeepTheirExtension(_ name: String, _ end: String, _ length: Int) {
        let safe = FileName.safe(name)
        #expect(safe.unicodeScalars.reversed().starts(with: end.unicodeScalars.reversed()))
        #expect(safe.utf8.count == length)
    }

    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("../../evil.sh", "evil.sh"), ("/etc/passwd", "passwd"),
            (#"C:\\Windows\\system.ini"#, "system.ini"), (#"..\\/..\\x"#, "x"),
            (".bashrc", "_.bashrc"), ("-rf", "_-rf"), ("  .profile", "_.profile"),
            ("\u{A0}-rf\u{2003}", "_-rf"), (" a b ", "a b"), ("a\u{202E}gpj.exe", "a_gpj.exe"),
            ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}e", "a_b_c_d_e"), ("a\u{E0041}b", "a_b"),
            ("\u{200D}x", "\u{200D}x"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("a\0b\u{1b}[31m\nc\u{7f}\u{9b}", "a_b_[31m_c__"), ("\u{FEFF}.bashrc", "_.bashrc"),
            ("con", "con"), ("x.part", "x.part_"), ("x.part.resume", "x.part.resume_"),
            ("x.part.resume~", "x.part.resume~_"), ("x.resume", "x.resume"), ("a~", "a~"),
            ("...", "_..."), ("~", "~"), ("%2e%2e%2fx", "%2e%2e%2fx"), ("a/\u{301}b", "\u{301}b"),
        ] as [(String, String)]
    )
    func fromServers(_ given: String, _ name: String) throws {
        let quoted = given.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
        let field = try #require(ContentDisposition("attachment; filename=\"\(quoted)\""))
        #expect(FileName.from(field) == name)
    }

    @Test(arguments: ["", ".", "..", "/", "a/", "a/..", #"a\\."#, "  ", "\u{2003}", ". /.. "])
    func serversMayOmitTheName(_ given: String) throws {
        let field = try #require(ContentDisposition("attachment; filename=\"\(given)\""))
        #expect(FileName.from(field) == nil)
    }

    @Test func aServersNameIsCutQuickly() throws {
        let long = String(repeating: " ", count: 100_000) + String(repeating: "é/", count: 50_000)
        let field = try #require(ContentDisposition("a; filename=\"\(long)x\""))
        #expect(FileName.from(field) == "x")
        let blank = String(repeating: " ", count: 200_000)
        let wide = try #require(ContentDisposition("a; filename=\"\(blank)x\(blank)\""))
        #expect(FileName.from(wide) == "x")
    }
}
