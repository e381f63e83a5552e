import Testing

@testable import CurlMulti

@Suite("Names with letters beyond ASCII")
struct InternationalNameTests {
    @Test(
        "a host name becomes the form that servers know, or none",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("H.Example", "h.example"),
            // A joiner alone: no character of the name remains.
            ("\u{200D}", nil),
            // A character that IDNA maps to one that ends a host, or that is in no host name.
            ("good.example\u{FF0F}.evil.example", nil), ("good.example\u{FF20}evil.example", nil),
            ("good.example\u{FF1A}80", nil), ("a\u{2100}b", nil), ("other.%C2%A0", nil),
        ] as [(String, String?)]
    )
    func ascii(host: String, name: String?) {
        #expect(InternationalName.ascii(host) == name)
    }
}
