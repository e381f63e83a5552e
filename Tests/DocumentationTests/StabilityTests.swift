import FetchDocumentation
import Foundation
import Testing

@testable import FetchCommand
@testable import URLLoading

/// Checks the promises of `docs/stability.md` to scripts and programs.
///
/// A failure here requires a major version, unless the page was wrong.
@Suite struct StabilityTests {
    private static func words(_ section: String) throws -> [String] {
        let text = try Page("docs/stability.md").text
        let start = try #require(text.range(of: "\n## \(section)\n")).upperBound
        let block = text[start...].components(separatedBy: "```")
        try #require(block.count >= 3 && block[1].hasPrefix("text\n"))
        return block[1].dropFirst(5).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    @Test func exitStatusesAreThoseOfThePage() throws {
        let statuses = ExitStatus.allCases.map { "\($0.rawValue)" }
        #expect(try Self.words("Exit statuses") == statuses)
        let signals = SignalStatus.allCases.map(\.rawValue)
        #expect(signals == [129, 130, 141, 143])
    }

    @Test func eachFlagOfOneIsStillThere() throws {
        let flags = try Self.words("Flags")
        #expect(flags.count >= 220)
        for word in flags {
            let name = word.hasSuffix("=") ? String(word.dropLast()) : word
            let flag = try #require(Flags.named(name), "\(name) is gone")
            #expect((flag.placeholder != nil) == word.hasSuffix("="), "\(name)")
        }
    }

    /// The page lists the names that help shows; other long names are those of curl and wget.
    ///
    /// A flag of a later version is added to the page in the commit that declares it.
    @Test func eachDeclaredFlagIsOnThePage() throws {
        let words = Set(try Self.words("Flags"))
        for flag in Flags.all {
            let long = flag.longNames.prefix(1).map { "--\($0)" }
            for name in long + flag.names.filter({ !$0.hasPrefix("--") }) {
                let word = flag.placeholder == nil ? name : "\(name)="
                #expect(words.contains(word), "\(word) is not in docs/stability.md")
            }
        }
    }

    @Test func eventsAreOfTheSchemaOfThePage() throws {
        #expect(try Page("docs/stability.md").text.contains("Events are of schema 1 "))
        #expect(EventSchemaTests.sampleLine.hasPrefix(#"{"schema":1,"event":"#))
    }

    @Test func filesAreOfTheVersionsOfThePage() throws {
        let rows = try Page("docs/stability.md").rows(under: "Files")
        let written = rows.prefix(3).map { $0[1] }
        let current = [ResumeData.version, JournalFormat.current.version, CredentialList.version]
        #expect(written == current.map { "version \($0)" })
        let journal = Set(JournalFormat.current.readers.keys).union([JournalFormat.current.version])
        #expect(rows[1][2] == journal.sorted().map { "\($0)" }.joined(separator: ", "))
    }

    @Test func theVersionHasItsPlaceInTheChangelog() throws {
        let text = try Page("CHANGELOG.md").text
        #expect(text.contains("\n## [\(Version.number)] - "))
        #expect(Version.text.hasPrefix("fetch \(Version.number)"))
    }
}
