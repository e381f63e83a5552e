import HTTPSemantics
import Testing

/// RFC 6266 and RFC 8187: the cases that https://greenbytes.de/tech/tc2231 runs in browsers, and worse.
@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            // The forms of the RFCs.
            (#"attachment; filename="example.html""#, "example.html"),
            ("Attachment; filename=example.html", "example.html"),
            ("inline; filename=foo.html", "foo.html"),
            (#"INLINE; FILENAME= "an example.html""#, "an example.html"),
            (#"attachment; filename="f\oo.html""#, "foo.html"),
            (#"attachment; filename="\"quoting\" tested.html""#, #""quoting" tested.html"#),
            (#"attachment; filename="Here's a semicolon;.html""#, "Here's a semicolon;.html"),
            (#"attachment; foo="bar"; filename="foo.html""#, "foo.html"),
            (#"attachment; foo="\"\\";filename="foo.html""#, "foo.html"),
            (#"attachment; filename="foo.html" ;"#, "foo.html"),
            ("attachment;;;filename=foo", "foo"),
            ("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "foo-ä-€.html"),
            ("attachment; filename*=iso-8859-1''foo-%E4.html", "foo-ä.html"),
            ("attachment; filename*=utf-8'de'%C3%BC", "ü"),
            // `filename*` counts before `filename`, in either order.
            (#"attachment; filename="EURO.txt"; filename*=utf-8''%e2%82%ac"#, "€"),
            (#"attachment; filename*=utf-8''%e2%82%ac; filename="EURO.txt""#, "€"),
            // A `filename*` that cannot be decoded does not count.
            (#"attachment; filename*=utf-8''%E4; filename="plain""#, "plain"),
            (#"attachment; filename*=utf-8''%; filename="plain""#, "plain"),
            (#"attachment; filename*=utf-8''%4; filename="plain""#, "plain"),
            (#"attachment; filename*=koi8-r''%c1; filename="plain""#, "plain"),
            (#"attachment; filename*=plain.html; filename="plain""#, "plain"),
            (#"attachment; filename*=UTF-8''; filename="plain""#, "plain"),
            (#"attachment; filename*=utf-8''%ed%a0%80; filename="plain""#, "plain"),
            (#"attachment; filename*=utf-8''%c0%af; filename="plain""#, "plain"),
            // Forms that browsers accept.
            ("filename=foo.html", "foo.html"),
            (#"filename="foo.html""#, "foo.html"),
            ("attachment; filename=foo bar.html", "foo bar.html"),
            ("attachment; filename=foo bar.html ; size=1", "foo bar.html"),
            ("attachment; filename=naïve €.html", "naïve €.html"),
            (#"attachment; filename="naïve.html""#, "naïve.html"),
            (#"attachment; filename*="UTF-8''%e2%82%ac""#, "€"),
            ("attachment; filename*=UTF-8''with blank", "with blank"),
            // Only `filename*` has escapes.
            (#"attachment; filename="foo%41.html""#, "foo%41.html"),
            (#"attachment; filename="=?ISO-8859-1?Q?foo?=""#, "=?ISO-8859-1?Q?foo?="),
            // The parser does not check whether a name is safe.
            (#"attachment; filename="../../etc/passwd""#, "../../etc/passwd"),
            ("attachment; filename*=UTF-8''%2e%2e%2f%00x", "../\0x"),
        ] as [(String, String)]
    )
    func names(_ field: String, _ name: String) throws {
        let disposition = try #require(ContentDisposition(field))
        #expect(disposition.fileName == name)
    }

    @Test(arguments: [
        "attachment", "inline", "attachment;", "attachment; filename", "attachment; filename=",
        #"attachment; filename="""#, "attachment; name=x", "attachment; filename*0=a; filename*1=b",
        "attachment; filename*=UTF-8''", "form-data; size=1",
    ])
    func noName(_ field: String) throws {
        #expect(try #require(ContentDisposition(field)).fileName == nil)
    }

    @Test(arguments: [
        "", " ", ";", "; filename=x", "=x", #""attachment""#, "attachment filename=x",
        #"attachment; filename="open"#, #"attachment; filename="open\"#,
        #"attachment; filename="a"b"#, #"attachment; filename="a" "b""#, #"filename="a"=b"#,
        #"attachment; filename="one"; filename="two""#, "attachment; filename=one; FileName=one",
        "attachment; filename*=UTF-8''a; filename*=UTF-8''b", "attachment; file name=x",
        "attachment; =x", "attachment; föö=x", "a/b; filename=x",
        "attachment; filename * = UTF-8''x",
    ])
    func malformedFields(_ field: String) {
        #expect(ContentDisposition(field) == nil)
    }

    @Test func parsingTimeIsProportionalToTheLength() {
        let long = String(repeating: #"; a="\""#, count: 30_000)
        #expect(ContentDisposition("attachment" + long) == nil)
        let many = String(repeating: "; a=b", count: 50_000) + "; filename=x"
        #expect(ContentDisposition("attachment" + many)?.fileName == "x")
        let blanks = "attachment; filename=" + String(repeating: " ", count: 250_000) + "x"
        #expect(ContentDisposition(blanks)?.fileName == "x")
    }

    @Test(
        arguments: [
            ([], nil), (["attachment; filename=x"], "x"),
            (["attachment; filename=x", "attachment; filename=x"], "x"),
            (["attachment; filename=x", "attachment; filename=y"], nil),
            (["attachment; filename=x", "nonsense nonsense"], nil),
        ] as [([String], String?)]
    )
    func severalFields(_ fields: [String], _ name: String?) {
        var header = HTTPHeaderFields()
        for field in fields { header.add(field, to: "content-disposition") }
        #expect(header.contentDisposition?.fileName == name)
    }
}
