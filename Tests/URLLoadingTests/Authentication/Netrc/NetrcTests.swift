import Testing

@testable import URLLoading

@Suite("Netrc")
struct NetrcTests {
    /// The entries in short form: `machine login password`, with `-` for a missing member.
    private static func short(_ text: String) throws -> [String] {
        try Netrc(text.utf8).entries.map { entry in
            [entry.machine ?? "DEFAULT", entry.login ?? "-", entry.password?.text ?? "-"]
                .joined(separator: " ")
        }
    }

    static let texts: [(String, [String])] = [
        ("", []), ("\n\n  \t\n# only a comment", []),
        ("machine h.example login me password pw", ["h.example me pw"]),
        ("machine\nH.Example\nlogin\n me\n\tpassword\npw\n", ["h.example me pw"]),
        ("MACHINE h LOGIN me PASSWORD pw", ["h me pw"]),
        // Members in any order, missing, and repeated.
        ("machine h password pw login me", ["h me pw"]),
        ("machine a machine b login me", ["a - -", "b me -"]),
        ("machine h login me login you password one password two", ["h me one"]),
        ("default login me password pw", ["DEFAULT me pw"]),
        ("machine h password pw default login me", ["h - pw", "DEFAULT me -"]),
        // Keywords as values.
        ("machine machine login login password password", ["machine login password"]),
        ("machine h login default password machine", ["h default machine"]),
        // Accounts and macros.
        ("machine h login me account acc password pw", ["h me pw"]),
        ("macdef init\ncd /\nmachine evil\n\nmachine h password pw", ["h - pw"]),
        ("machine h login a macdef x\npassword no\r\n\r\npassword pw", ["h a pw"]),
        ("macdef last\nmachine evil password no", []),
        ("macdef x rest of line is passed over\n\nmachine h", ["h - -"]),
        // A comment begins where a word would.
        ("machine h # login x\nlogin me#1 password p#w", ["h me#1 p#w"]),
        ("#machine a\n  #machine b\nmachine c", ["c - -"]),
        // Quotes and escapes as in curl.
        (#"machine h login "my name" password "p w""#, ["h my name p w"]),
        (##"machine h password "#hash\"quote\\back\x""##, ["h - #hash\"quote\\backx"]),
        (#"machine h password "a\nb\rc\td""#, ["h - a\nb\rc\td"]),
        (#"machine h login "" password """#, ["h  "]),
        (#"machine h password p"w\n"#, [#"h - p"w\n"#]),
        (#"machine h "password" no password yes"#, ["h - yes"]),
        // Line ends of another system, a byte order mark, letters beyond ASCII.
        ("\u{FEFF}machine h\r\nlogin me\r\npassword pw\r\n", ["h me pw"]),
        ("machine h login jäsøn password 秘密", ["h jäsøn 秘密"]),
        // Words that belong to nothing.
        ("login me password pw machine h", ["h - -"]),
        ("machine h port 21 login me", ["h me -"]),
    ]

    @Test("a netrc has the format of ftp(1), with curl's quotes", arguments: texts)
    func isRead(text: String, entries: [String]) throws {
        #expect(try Self.short(text) == entries)
    }

    static let malformed: [([UInt8], NetrcError)] = [
        (Array("machine".utf8), .missingValue(line: 1)),
        (Array("machine h\nlogin me\npassword\n\n".utf8), .missingValue(line: 3)),
        (Array("\n\nmachine h password \"open\nlogin me\"".utf8), .openQuote(line: 3)),
        (Array("machine h password \"open".utf8), .openQuote(line: 1)),
        (Array("machine h password \"open\\".utf8), .openQuote(line: 1)),
        (Array("machine h password \"open\\\n\"".utf8), .openQuote(line: 1)),
        (Array("machine h\npassword p".utf8) + [0xE4], .notText(line: 2)),
        (Array("machine h password p\u{0}w".utf8), .notText(line: 1)),
    ]

    @Test("an error names its line, and the client uses nothing of the file", arguments: malformed)
    func isRefused(bytes: [UInt8], error: NetrcError) {
        #expect(throws: error) { try Netrc(bytes) }
    }

    @Test("a comment may contain anything")
    func comments() throws {
        let bytes = Array("# ".utf8) + [0xE4, 0x00, 0x22] + Array("\nmachine h".utf8)
        #expect(try Netrc(bytes).entries.map(\.machine) == ["h"])
    }

    private static let several = """
        machine h.example login one password first
        machine k.example login other
        machine h.example login two password second
        machine ::1 password six
        default login anonymous password guest
        machine late.example password late
        """

    /// Host, user, and the password that is found.
    static let lookups: [(String, String?, String?)] = [
        ("h.example", nil, "first"), ("H.EXAMPLE", nil, "first"), ("h.example", "two", "second"),
        ("[::1]", nil, "six"), ("::1", nil, "six"), ("x.example", nil, "guest"),
        ("x.example", "anonymous", "guest"), ("late.example", nil, "late"),
        // Never that of another entry, of another user, or of another host.
        ("h.example", "three", nil), ("k.example", nil, nil), ("k.example", "other", nil),
        ("x.example", "me", nil), ("sub.h.example", "one", nil),
        // A password alone serves each user.
        ("::1", "any", "six"), ("late.example", "me", "late"),
    ]

    @Test("an entry is found by its host and user", arguments: lookups)
    func lookup(host: String, login: String?, password: String?) throws {
        let netrc = try Netrc(Self.several.utf8)
        #expect(netrc.entry(for: host, login: login)?.password?.text == password)
    }

    @Test("an unknown host has no entry without a default")
    func unknown() throws {
        let netrc = try Netrc("machine h.example password pw".utf8)
        #expect(netrc.entry(for: "k.example") == nil)
    }

    @Test("a netrc's dump contains no password")
    func redacted() throws {
        var dumped = ""
        dump(try Netrc("machine h login me password topsecret".utf8), to: &dumped)
        #expect(!dumped.contains("topsecret"))
        #expect(dumped.contains("h"))
    }
}
