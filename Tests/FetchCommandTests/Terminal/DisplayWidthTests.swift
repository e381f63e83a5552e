import CTestSupport
import Testing

@testable import FetchCommand

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("file.txt", 8), ("naïve", 5), ("e\u{301}", 1), ("日本語", 6), ("한국어", 6),
        ("ﾊﾝ", 2), ("Ａ", 2), ("a\u{200b}b", 2), ("👍", 2), ("✈\u{fe0f}", 2), ("✈", 1), ("🇩🇪", 2),
        ("\u{1100}\u{1161}\u{11a8}", 2), ("𝒳", 1), ("שלום", 4), ("ไทย", 3),
    ])
    func width(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("a sequence of joined pictures is as wide as on terminals that show them separately")
    func joined() {
        #expect(DisplayWidth.of("👨\u{200d}👩\u{200d}👧") == 6)
        #expect(DisplayWidth.of("👍🏽") == 4)
    }

    @Test("no character is narrower than in the C library, so no line breaks")
    func neverNarrower() {
        var narrower: [String] = []
        for value in UInt32(0x20)...0x3ffff {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.generalCategory != .unassigned
            else { continue }
            let columns = Int(locale_width(value))
            if DisplayWidth.of(scalar) < columns { narrower.append(String(value, radix: 16)) }
        }
        #expect(narrower == [])
    }

    @Test(arguments: [
        ("debian-12.iso", 13, "debian-12.iso"), ("debian-12.iso", 12, "debian…2.iso"),
        ("debian-12.iso", 5, "de…so"), ("debian-12.iso", 3, "d…o"), ("debian-12.iso", 2, "de"),
        ("debian-12.iso", 1, "d"), ("debian-12.iso", 0, ""), ("", 4, ""),
        ("日本語のファイル.txt", 10, "日本….txt"), ("日本語", 5, "日…語"), ("日本語", 4, "日…"),
        ("日本語", 1, ""), ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…e\u{301}"),
    ])
    func fitted(_ text: String, _ columns: Int, _ result: String) {
        let fitted = DisplayWidth.fitted(text, to: columns, ellipsis: "…")
        #expect(fitted == result)
        #expect(DisplayWidth.of(fitted) <= columns)
    }
}
