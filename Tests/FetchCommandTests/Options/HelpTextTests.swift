import Testing

@testable import FetchCommand

@Suite struct HelpTextTests {
    @Test(arguments: [20, 40, 60, 80, 132])
    func linesFit(_ width: Int) {
        let limit = max(width, 40)
        for line in HelpText.text(width: width).split(separator: "\n") {
            #expect(line.count <= limit, "\(line)")
        }
    }

    @Test func everyFlagAndSectionIsThere() {
        let text = HelpText.text()
        #expect(text.hasPrefix(HelpText.usage))
        for section in FlagSection.allCases { #expect(text.contains("\n\(section.rawValue):\n")) }
        for flag in Flags.all { #expect(text.contains(HelpText.spelling(flag))) }
    }

    @Test(arguments: [
        ("--output", "-O, -o, --output FILE"), ("--http2", "    --http2"),
        ("-R", "-R, --remote-time"),
        ("-nv", "-nv, --no-verbose"),
    ])
    func spelling(_ name: String, _ text: String) throws {
        #expect(HelpText.spelling(try #require(Flags.named(name))) == text)
    }

    @Test func wrapping() {
        #expect(HelpText.wrapped("aa bb cc", width: 5) == ["aa bb", "cc"])
        #expect(HelpText.wrapped("abcdefgh i", width: 3) == ["abcdefgh", "i"])
        #expect(HelpText.wrapped("", width: 3) == [])
    }
}
