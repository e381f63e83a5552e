import HTTPSemantics
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "a Content-Type gives the media type and its charset",
        arguments: [
            ("text/html; charset=UTF-8", "text/html", "utf-8"), ("TEXT/Plain", "text/plain", nil),
            ("text/html;charset=\"iso-8859-1\"", "text/html", "iso-8859-1"), ("nonsense", nil, nil),
            ("application/json; x=y", "application/json", nil), ("", nil, nil),
        ]
    )
    func mediaType(text: String, essence: String?, charset: String?) {
        let type = MediaType(text)
        #expect(type.essence == essence)
        #expect(type.charset == charset)
    }

    @Test("a media type is cut at its semicolons")
    func mediaTypes() {
        #expect(MediaType("text/html;\u{301}a=b").essence == "text/html")
        #expect(MediaType("text/html; charset=\"UTF-8\"").charset == "utf-8")
        #expect(MediaType("text/\u{301}html; charset=K\u{212A}").charset == "k\u{212A}")
        #expect(MediaType(";").essence == nil)
    }
}
