import Testing

@testable import URLLoading

@Suite("Percent-encoding")
struct PercentDecodingTests {
    @Test(
        "escapes are bytes of UTF-8, and what is none is an error",
        arguments: [
            ("", ""), ("a b+c", "a b+c"), ("%41%2f%2F", "A//"), ("%C3%BC", "ü"), ("a%00b", "a\0b"),
            ("%", nil), ("%4", nil), ("%zz", nil), ("%+4", nil), ("%-4", nil), ("%C3", nil),
        ] as [(String, String?)]
    )
    func decoded(text: String, decoded: String?) {
        #expect(text[...].percentDecoded == decoded)
    }
}
