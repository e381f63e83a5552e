import Testing

@testable import FetchCommand

@Suite struct FlagTableTests {
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

    @Test(arguments: Flags.all.filter { !$0.excludes.isEmpty }.map(\.names))
    func whatAFlagExcludesIsRefusedBesideIt(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        for name in flag.excludes {
            let other = try #require(Flags.named(name))
            #expect(!Set(other.excludes).isDisjoint(with: flag.names), "\(name) does not know it")
            let words = [flag, other].flatMap {
                [$0.names[0]] + ($0.placeholder == nil ? [] : ["1"])
            }
            guard case .conflict = usageError(words + ["h/x"]) else {
                Issue.record("\(words) are taken together")
                continue
            }
        }
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
    func everySpellingIsUnderstood(_ names: [String]) throws {
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
