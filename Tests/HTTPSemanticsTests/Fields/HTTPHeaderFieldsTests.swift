import HTTPSemantics
import Testing

@Suite("Header fields")
struct HTTPHeaderFieldsTests {
    @Test("header fields ignore case, keep their order, and join added values")
    func fields() {
        var fields = HTTPHeaderFields()
        fields["B"] = "1"
        fields["a"] = "2"
        fields["b"] = "3"
        #expect(fields.fields.map(\.name) == ["B", "a"])
        #expect(fields["B"] == "3")
        fields.add("4", to: "A")
        #expect(fields["a"] == "2, 4")
        fields.add("x=1", to: "Cookie")
        fields.add("y=2", to: "cookie")
        #expect(fields["COOKIE"] == "x=1; y=2")
        fields["b"] = nil
        #expect(fields["B"] == nil)
        fields.add("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", to: "Set-Cookie")
        fields.add("b=2", to: "set-cookie")
        #expect(fields.fields.suffix(2).map(\.name) == ["Set-Cookie", "set-cookie"])
        #expect(fields.dictionary["Set-Cookie"]?.hasSuffix("GMT, b=2") == true)
        #expect(fields.dictionary.count == 3)
        fields["SET-COOKIE"] = "c=3"
        #expect(fields.fields.filter { $0.name == "Set-Cookie" }.map(\.value) == ["c=3"])
    }

    @Test("header fields are iterated like a dictionary, each name once")
    func sequence() {
        var several = HTTPHeaderFields(["A": "1", "b": "2"])
        several.add("3", to: "a")
        #expect(several.map { "\($0.key)=\($0.value)" } == ["A=1, 3", "b=2"])
    }

    @Test(
        "a Content-Length with a sign is invalid",
        arguments: ["-5", "+5", "", "5 ", "9223372036854775808"]
    )
    func signedLength(_ text: String) {
        #expect(HTTPHeaderFields(["Content-Length": text]).contentLength == nil)
        #expect(HTTPHeaderFields(["content-length": "5"]).contentLength == 5)
    }

    @Test("fields whose values only look the same are different")
    func bytes() {
        var one = HTTPHeaderFields()
        var other = HTTPHeaderFields()
        one.add("caf\u{e9}", to: "X")
        other.add("cafe\u{301}", to: "X")
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
