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
    func theFirstSampleIsAValueOfTheFlag(_ flag: ForeignFlag) {
        if case .refusedValue(let message, _) = flag.reading.verdict {
            Issue.record("\(flag.name): \(message)")
        }
    }

    @Test(arguments: (ForeignFlag.curl + ForeignFlag.wget).filter { $0.values.count > 1 })
    func theRowTellsTheFurtherSamplesApart(_ flag: ForeignFlag) throws {
        let row = try #require(flag.row(nil))
        for value in flag.values.dropFirst() {
            #expect(row[2].contains("`\(flag.name) \(value)`"), "\(row[2])")
        }
    }

    @Test(arguments: [
        ("--key-type", "`--key-type DER` is refused: 'DER' cannot be set for the key alone."),
        ("--key-type", "That is for `--key-type PEM`. fetch needs no flag for it."),
        ("--continue-at", "`--continue-at 100` is `--range 100-`."),
        ("--range", "`--range 0-99,200-299` is refused: '0-99,200-299' is not a range of bytes."),
        ("--proto", "To use it as a value, write `--proto=-all,https`."),
        ("--hsts", "Refused: this flag takes a file in curl, and no value here."),
        ("--quote", "Refused: part of FTP. Only http, https, file and data can be fetched."),
        ("--form", "`--form NAME=@FILE;encoder=base64` is refused: only type= or filename= can"),
    ])
    func aRowShowsTheParsersMessage(_ name: String, _ sentence: String) throws {
        let flag = try #require(ForeignFlag.curl.first { $0.name == name })
        let notes = try #require(flag.row("--silent"))[2]
        #expect(notes.contains(sentence), "\(notes)")
    }
}
