import HTTPSemantics
import Testing

@Suite("Cache-Control")
struct CacheControlTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let delta: CacheControl.Delta
        var testDescription: String { text }

        init(_ text: String, _ delta: CacheControl.Delta) {
            self.text = text
            self.delta = delta
        }
    }

    @Test(
        "C-01 max-age is read as written, or is invalid",
        arguments: [
            Case("", .absent),
            Case("public", .absent),
            Case("max-age=0", .seconds(0)),
            Case("max-age=3600", .seconds(3_600)),
            Case("MAX-AGE=3600", .seconds(3_600)),
            Case("max-age=\"3600\"", .seconds(3_600)),
            Case("public, max-age=1 , private", .seconds(1)),
            Case(",,\t,max-age=1,,", .seconds(1)),
            Case("max-age=003600", .seconds(3_600)),
            Case("max-age=2147483648", .seconds(1 << 31)),
            Case("max-age=2147483649", .seconds(1 << 31)),
            Case("max-age=99999999999999999999999", .seconds(1 << 31)),
            Case("max-age", .bare),
            Case("max-age=", .invalid),
            Case("max-age=-1", .invalid),
            Case("max-age=+1", .invalid),
            Case("max-age=1.5", .invalid),
            Case("max-age=1s", .invalid),
            Case("max-age =1", .invalid),
            Case("max-age= 1", .invalid),
            Case("max-age=1 2", .invalid),
            Case("max-age='1'", .invalid),
            Case("max-age=\"1", .invalid),
            Case("max-age=1, max-age=1", .seconds(1)),
            Case("max-age=1, max-age=2", .invalid),
            Case("a=\"max-age=5\", max-age=1", .seconds(1)),
            Case("a=\"b\\\", max-age=5\", max-age=1", .seconds(1)),
            Case("a=\"b, max-age=5", .absent),
            Case("x-max-age=1", .absent),
            Case("max-agex=1", .absent),
            Case("@ , max-age=1", .seconds(1)),
            Case("=1, max-age=1", .seconds(1)),
        ]
    )
    func maxAge(_ sample: Case) {
        #expect(CacheControl(sample.text).delta("max-age") == sample.delta)
    }

    @Test(
        "C-01 directives are read in any case, with or without an argument; unknown ones are kept"
    )
    func names() {
        let control = CacheControl("No-Store, private=\"Set-Cookie\", foo=bar, immutable")
        #expect(control.has("no-store"))
        #expect(control.has("private"))
        #expect(control.has("foo"))
        #expect(control.has("immutable"))
        #expect(!control.has("bar"))
        #expect(!CacheControl(nil).has("no-store"))
        #expect(!CacheControl("x=\"no-store\"").has("no-store"))
    }

    @Test("C-01 a qualified no-cache names its fields, and a malformed one covers all fields")
    func qualified() {
        #expect(CacheControl("no-cache=\"A, b\"").fieldNames("no-cache") == ["a", "b"])
        #expect(CacheControl("no-cache=a").fieldNames("no-cache") == ["a"])
        #expect(CacheControl("no-cache").fieldNames("no-cache") == nil)
        #expect(CacheControl("no-cache=\"\"").fieldNames("no-cache") == nil)
        #expect(CacheControl("no-cache=\"a\", no-cache").fieldNames("no-cache") == nil)
        #expect(CacheControl("no-cache=\"a").fieldNames("no-cache") == nil)
    }

    @Test("C-01 the parser reads a hostile value to its end")
    func hostile() {
        for text in ["\"", "\\", "=", "a=\"\\", String(repeating: ",", count: 100_000), "\u{0}"] {
            _ = CacheControl(text).directives
        }
        let many = String(repeating: "a=\"b\",", count: 10_000)
        #expect(CacheControl(many).directives.count == 10_000)
    }
}
