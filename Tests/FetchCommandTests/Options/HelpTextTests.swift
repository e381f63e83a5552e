import Testing

@testable import FetchCommand

@Suite struct HelpTextTests {
    @Test func linesFit() throws {
        let text = try #require(HelpText.text(on: "all"))
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func everyFlagAndSectionIsThere() throws {
        let text = try #require(HelpText.text(on: "all"))
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

    @Test func theShortOneFitsOnAScreen() throws {
        let text = try #require(HelpText.text(on: nil))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(HelpText.common.count == 25)
        for name in HelpText.common { #expect(text.contains(name)) }
        for status in ExitStatus.allCases where status != .failure {
            let words = text.split(whereSeparator: \.isWhitespace)
            #expect(words.contains("\(status.rawValue)"), "\(status)")
        }
        #expect(lines.count { $0.hasPrefix("  fetch ") } == 3)
    }

    @Test func topics() throws {
        for section in FlagSection.allCases {
            let text = try #require(HelpText.text(on: "\(section)"))
            #expect(text.contains("\n\(section.rawValue):\n"))
            for flag in Flags.all {
                let entry = "  " + HelpText.spelling(flag)
                let isThere = text.split(separator: "\n").contains {
                    $0 == entry || $0.hasPrefix(entry + " ")
                }
                #expect(isThere == (flag.section == section), "\(flag.names[0])")
            }
        }
        #expect(HelpText.text(on: "tries")?.contains("--tries N") == true)
        #expect(HelpText.text(on: "nonsense") == nil)
    }

    @Test func wrapping() {
        #expect(HelpText.wrapped("aa bb cc", width: 5) == ["aa bb", "cc"])
        #expect(HelpText.wrapped("abcdefgh i", width: 3) == ["abcdefgh", "i"])
        #expect(HelpText.wrapped("", width: 3) == [])
    }
}
