import Testing

@testable import HTTPSemantics

/// Servers and files compare bytes, while Swift compares by canonical equivalence.
///
/// To Swift, U+212A equals K, and a letter with a combining mark is one character.
@Suite("Text and numbers from outside")
struct OutsideValueTests {
    /// The Kelvin sign: it looks like K, and has other bytes.
    private static let kelvin = "\u{212A}"

    @Test("texts are compared, cut and split by their bytes")
    func primitives() {
        #expect(Self.kelvin == "K", "that is why")
        #expect(!Self.kelvin.hasBytes(of: "K"))
        #expect(ExactText(Self.kelvin) != ExactText("K"))
        #expect(Set([ExactText(Self.kelvin), ExactText("K"), ExactText("K")]).count == 2)
        #expect(!"Kx".startsWithBytes(of: Self.kelvin))
        #expect(!"xK".endsWithBytes(of: Self.kelvin))
        #expect("/\u{301}x".startsWithBytes(of: "/"))
        #expect("K/\u{301}x".droppingBytes(of: "K/") == "\u{301}x")
        #expect("".droppingBytes(of: "x") == nil)
        #expect("a:\u{301}b\r\n:".split(byte: UInt8(ascii: ":")) == ["a", "\u{301}b\r\n"])
        #expect("A\u{212A}Z\u{130}".asciiLowercased.hasBytes(of: "a\u{212A}z\u{130}"))
        #expect("a\u{17F}z".asciiUppercased.hasBytes(of: "A\u{17F}Z"))
        #expect(HTTPSyntax.trimmed(" \t\u{301}x \t") == "\u{301}x")
        #expect("[::1]".withoutBrackets == "::1" && "[".withoutBrackets == "[")
    }

    @Test("texts of any length differ in any byte", arguments: 1...20)
    func lengths(count: Int) {
        let text = String(repeating: "a", count: count)
        #expect(text.hasBytes(of: String(repeating: "a", count: count)))
        #expect(!text.hasBytes(of: text + "a"))
        for place in 0..<count {
            var bytes = Array(text.utf8)
            bytes[place] = UInt8(ascii: "b")
            #expect(!text.hasBytes(of: String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test(
        "percent escapes decode to UTF-8, and an invalid escape is an error",
        arguments: [
            ("", ""), ("a b+c", "a b+c"), ("%41%2f%2F", "A//"), ("%C3%BC", "ü"), ("a%00b", "a\0b"),
            ("%", nil), ("%4", nil), ("%zz", nil), ("%+4", nil), ("%-4", nil), ("%C3", nil),
        ] as [(String, String?)]
    )
    func decoded(text: String, decoded: String?) {
        #expect(text[...].percentDecoded == decoded)
    }

    @Test("sums, products and conversions clamp to the nearest representable number")
    func clamping() {
        #expect(Int64.max.adding(clamping: 1) == .max)
        #expect(Int64.min.adding(clamping: -1) == .min)
        #expect(Int64.min.subtracting(clamping: 1) == .min)
        #expect(Int64(0).subtracting(clamping: .min) == .max)
        #expect(UInt8(200).adding(clamping: 100) == 255)
        #expect(UInt8(1).subtracting(clamping: 2) == 0)
        #expect(Int(clamping: Double.nan) == 0)
        #expect(Int(clamping: Double.infinity) == .max)
        #expect(Int(clamping: -Double.infinity) == .min)
        #expect(Int64(clamping: 9.3e18) == .max)
        #expect(Int64(clamping: -2.9) == -2)
        #expect(UInt8(clamping: -0.5 as Double) == 0)
    }

    @Test("hex text keeps leading zeros")
    func leadingZeros() {
        #expect(([0, 1, 0xAB, 0xFF] as [UInt8]).hexText == "0001abff")
        #expect(([] as [UInt8]).hexText == "")
    }
}
