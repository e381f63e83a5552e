import FetchDocumentation
import TestSupport
import Testing

@testable import FetchCommand

/// The lists of curl's and wget's flags, from which the tables are made.
@Suite struct ForeignFlagTests {
    @Test(arguments: ["curl --help all", "wget --help"])
    func everyFlagOfTheInstalledToolIsListed(_ command: String) async throws {
        let help = try await FetchProcess.shell(command).stdoutText
        let list = command.hasPrefix("curl") ? ForeignFlag.curl : ForeignFlag.wget
        let names = Set(list.flatMap { [$0.name, $0.letter].compactMap(\.self) })
        #expect(names.count > 150)
        for match in help.matches(of: /(?m)^ *(?:(-\w\w?|-[#:]), *)?(--[a-z0-9.-]+)/) {
            #expect(names.contains(String(match.2)), "\(match.2)")
            if let letter = match.1 { #expect(names.contains(String(letter)), "\(letter)") }
        }
    }

    @Test func everyKnownSpellingIsListed() {
        let names = Set(
            (ForeignFlag.curl + ForeignFlag.wget).flatMap {
                [$0.name, $0.letter].compactMap(\.self)
            }
        )
        for spelling in PastedSpelling.all {
            for name in spelling.names { #expect(names.contains(name), "\(name)") }
        }
    }

    @Test(arguments: ForeignFlag.curl + ForeignFlag.wget)
    func theSampleIsAValueOfTheFlag(_ flag: ForeignFlag) {
        if case .refusedValue(let message, _) = flag.reading.verdict {
            Issue.record("\(flag.name): \(message)")
        }
    }
}
