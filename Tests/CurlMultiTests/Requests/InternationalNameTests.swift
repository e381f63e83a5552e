import Testing

@testable import CurlMulti

@Suite("Names with letters beyond ASCII")
struct InternationalNameTests {
    @Test(
        "a name is as servers know it, or there is none",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("H.Example", "h.example"),
            // A joiner alone, of which nothing remains.
            ("\u{200D}", nil),
        ] as [(String, String?)]
    )
    func ascii(host: String, name: String?) {
        #expect(InternationalName.ascii(host) == name)
    }
}
