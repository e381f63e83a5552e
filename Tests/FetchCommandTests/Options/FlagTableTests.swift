import Testing

@testable import FetchCommand

@Suite struct FlagTableTests {
    @Test func everyFlagIsInTheListOfOneSection() {
        for flag in Flags.all {
            let declaring = FlagSection.allCases.filter { $0.flags.contains { $0 === flag } }
            #expect(declaring.count == 1, "\(flag.names)")
        }
    }

    @Test func noNameIsDeclaredTwice() {
        var seen: Set<String> = []
        for name in Flags.all.flatMap(\.names) {
            #expect(seen.insert(name).inserted, "\(name) twice")
        }
    }

    @Test(arguments: Flags.all.map(\.names))
    func namesHaveTheirForm(_ names: [String]) {
        #expect(!names.isEmpty)
        for name in names {
            #expect(name.hasPrefix("-"))
            #expect(!name.contains("="))
            #expect(!name.contains(" "))
            #expect(name.utf8.count > (name.hasPrefix("--") ? 3 : 1))
        }
    }

    @Test(arguments: Flags.all.map(\.names))
    func everyFlagHasHelp(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        #expect(!flag.help.isEmpty)
        #expect(!flag.help.hasSuffix("."))
        #expect(flag.details.isEmpty || flag.details.hasSuffix("."))
        #expect(flag.help.first?.isUppercase == false)
        if case .takeValue = flag.action {
            #expect(flag.placeholder?.isEmpty == false)
        } else {
            #expect(flag.placeholder == nil)
        }
    }

    /// Each flag with the names of the flags that its declaration excludes.
    private static let pairs = Flags.all.flatMap { flag in
        flag.excludes.flatMap { exclusion in
            exclusion.flags.map { (exclusion.name ?? flag.names[0], $0) }
        }
    }
    /// Values of flags that do not accept "1".
    private static let values = [
        "--checksum": "md5:00000000000000000000000000000000", "--cache-policy": "reload",
        "--compression": "auto", "--range": "0-1",
    ]

    @Test(arguments: pairs)
    func aFlagAndOneThatItExcludesAreRefused(_ one: String, _ other: String) throws {
        let words = try [one, other].flatMap { name in
            let flag = try #require(Flags.named(name), "\(name) is no flag")
            return [name] + (flag.placeholder == nil ? [] : [Self.values[flag.names[0]] ?? "1"])
        }
        guard case .conflict(one, other, let reason) = usageError(words + ["h/x"]) else {
            Issue.record("\(words) are taken together, or refused as others")
            return
        }
        #expect(!reason.isEmpty)
        let flags = try [one, other].map { try #require(Flags.named($0)) }
        #expect(flags[0].isExcluded(by: flags[1]) && flags[1].isExcluded(by: flags[0]))
    }

    @Test func everyInputFileIsListed() throws {
        let values = [
            "--data": "@f", "--json": "@f", "--form": "a=@f", "--header": "@f", "--user": "@f",
            "--password": "@f", "--bearer": "@f", "--proxy-user": "@f",
            "--private-key-password": "@f", "--write-out": "@f", "--cookie": "@f",
        ]
        var known: Set<String> = []
        for flag in Flags.all where flag.reads != nil && flag.names[0] != "--config" {
            let name = flag.names[0]
            let options = try options(name, values[name] ?? "f")
            #expect(options.inputFiles == [InputFile(flag: name, path: "f")], "\(name)")
            known.insert(name)
        }
        #expect(known.count == 23)
        #expect(try options("--cookie", "a=b", "-d", "x", "-k", "-H", "a: b").inputFiles == [])
    }

    @Test func namesAreSortedByTheirDashes() throws {
        let flag = try #require(Flags.named("-nv"))
        #expect(flag.longNames == ["no-verbose"])
        #expect(flag.singleDashNames == ["nv"])
        #expect(flag.letters == [])
        let output = try #require(Flags.named("--output"))
        #expect(output.letters == ["O", "o"])
        #expect(output.longNames == ["output", "output-document"])
    }

    @Test(arguments: Flags.all.map(\.names))
    func everySpellingIsParsed(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        for name in names where flag.placeholder != nil {
            #expect(
                usageError([name]) == .missingValue(flag: name, placeholder: flag.placeholder ?? "")
            )
        }
        for name in names where flag.placeholder == nil {
            _ = try FlagParser.parse([name])
        }
    }
}
