import Testing

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
        ("http://h/%252e%252e", "%2e%2e"), ("http://h/a\\b", "a\\b"), ("http://h/x.part", "x.part"),
        ("http://h/%00", "_"), ("http://h/%20", " "),
    ])
    func fromURLs(_ url: String, _ name: String) throws {
        #expect(FileName.from(try WebAddress(url)) == name)
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
    func nothingEscapes(_ name: String) {
        let safe = FileName.safe(name)
        #expect(!safe.isEmpty)
        #expect(!safe.utf8.contains(UInt8(ascii: "/")))
        #expect(!safe.utf8.contains { $0 < 0x20 || $0 == 0x7f })
        #expect(!safe.hasPrefix(".") && !safe.hasPrefix("-"))
    }
}
