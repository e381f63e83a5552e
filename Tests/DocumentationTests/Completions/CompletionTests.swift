import Testing

@testable import FetchCommand

/// Checks of every shell's completions with every flag.
@Suite struct CompletionTests {
    @Test(arguments: CompletingShell.allCases)
    func everyLongNameIsCompleted(_ shell: CompletingShell) async throws {
        let names = Flags.all.flatMap(\.names).filter { $0.hasPrefix("--") }
        // bash offers an alias only where no flag's first name begins so.
        let starts = Set(names.map { shell == .bash ? $0.dropLast() : $0.prefix(3) }).sorted()
        let offers = try await shell.offers(starts.map { "fetch \($0)" })
        #expect(offers.count == starts.count)
        for (start, offered) in zip(starts, offers) {
            for name in names where name.hasPrefix(start) {
                let isHidden = shell == .bash && offered.contains { $0.hasPrefix(start) }
                #expect(offered.contains(name) || isHidden, "\(name) is not among \(offered)")
            }
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func everyFlagIsOfferedAfterADash(_ shell: CompletingShell) async throws {
        let offered = try #require(try await shell.offers(["fetch -"]).first)
        #expect(Set(offered).count == offered.count, "something is offered twice")
        for flag in Flags.all {
            // zsh shows one of two letters with the same meaning, and completes both.
            let letters = flag.names.filter { !$0.hasPrefix("--") }
            #expect(letters.isEmpty || letters.contains(where: offered.contains), "\(letters)")
            let long = flag.longNames.map { "--\($0)" }
            #expect(long.contains(where: offered.contains), "\(long)")
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func aGivenFlagIsNotOfferedAgain(_ shell: CompletingShell) async throws {
        // A line has flags that exclude none of each other.
        var lines: [[Flag]] = []
        for flag in Flags.all where !flag.longNames.isEmpty {
            let line = lines.firstIndex { line in
                line.count < 20 && !line.contains { $0.isExcluded(by: flag) }
            }
            if let line { lines[line].append(flag) } else { lines.append([flag]) }
        }
        let typed = lines.map { flags in
            flags.map { $0.given($0.names.last ?? "") }.joined(separator: " ")
        }
        let offers = try await shell.offers(typed.map { "fetch \($0) --" })
        for (flags, offered) in zip(lines, offers) {
            #expect(!offered.isEmpty)
            for flag in flags {
                let name = "--\(flag.longNames[0])"
                #expect(offered.contains(name) == flag.repeats, "\(name): \(offered)")
            }
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func anExcludedFlagIsNotOffered(_ shell: CompletingShell) async throws {
        let lines = Flags.all.flatMap { flag in
            let others = Flags.all.filter { $0.isExcluded(by: flag) }.map { $0.names[0] }
            return others.isEmpty ? [] : flag.names.map { (line: flag.given($0), others: others) }
        }
        try #require(!lines.isEmpty)
        let offers = try await shell.offers(lines.map { "fetch \($0.line) --" })
        for ((line, others), offered) in zip(lines, offers) {
            #expect(!offered.isEmpty)
            #expect(others.allSatisfy { !offered.contains($0) }, "\(line): \(offered)")
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func lettersInAClusterCountAsWell(_ shell: CompletingShell) async throws {
        let offers = try await shell.offers([
            "fetch -qSO x --quie", "fetch -qSO x --server", "fetch -qST5 --timeo",
            "fetch -qOS --serv",
        ])
        #expect(offers[0] == [])
        #expect(offers[1] == [])
        #expect(offers[2] == [])
        // The text after a letter with a value is that value.
        #expect(offers[3] == ["--server-response"])
    }

    @Test(arguments: CompletingShell.allCases)
    func wordsOfAChoiceAreOffered(_ shell: CompletingShell) async throws {
        let choices = Flags.all.flatMap { flag -> [(line: String, words: [String])] in
            guard let words = flag.kind.words else { return [] }
            let name = "fetch --\(flag.longNames[0])"
            return [("\(name) ", words), ("\(name)=", words)]
        }
        #expect(choices.count > 8)
        for (choice, offered) in zip(choices, try await shell.offers(choices.map(\.line))) {
            #expect(offered.candidates.sorted() == choice.words.sorted(), "\(choice.line)")
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func filesAreCompletedWhereAFlagTakesOne(_ shell: CompletingShell) async throws {
        try await shell.expect(Self.names(.file)) { name in
            [
                ("\(name) mov", "movie.mkv"), ("\(name) my", "my file.txt"),
                ("\(name)=mov", "\(name)=movie.mkv"), ("\(name)=my", "\(name)=my file.txt"),
            ]
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func foldersAloneAreCompletedWhereAFlagTakesOne(_ shell: CompletingShell) async throws {
        // zsh removes the slash where the word ends.
        let slash = shell == .zsh ? "" : "/"
        try await shell.expect(Self.names(.directory)) { name in
            [
                ("\(name) d", "dir one\(slash)"), ("\(name)=d", "\(name)=dir one\(slash)"),
                ("\(name) mov", "mov"),
            ]
        }
    }

    @Test(arguments: CompletingShell.allCases)
    func filesAreCompletedAfterAnAt(_ shell: CompletingShell) async throws {
        for (kind, at) in [(FlagValueKind.data, "@"), (.formField, "field=@")] {
            try await shell.expect(Self.names(kind)) { name in
                [
                    ("\(name) \(at)mov", "\(at)movie.mkv"), ("\(name) \(at)my", "\(at)my file.txt"),
                    ("\(name)=\(at)mov", "\(name)=\(at)movie.mkv"), ("\(name) mov", "mov"),
                ]
            }
        }
    }

    /// The first names of the flags with such a value.
    private static func names(_ kind: FlagValueKind) throws -> [String] {
        let names = Flags.all.filter { $0.kind == kind }.map { "--\($0.longNames[0])" }
        try #require(!names.isEmpty)
        return names
    }

    @Test(arguments: CompletingShell.allCases)
    func aURLBeginsWithItsScheme(_ shell: CompletingShell) async throws {
        let offers = try await shell.offers(["fetch ", "fetch https", "fetch -q -- h", "fetch mov"])
        let words = offers.map(\.candidates)
        let both = ["http://", "https://"]
        #expect(words == [both, ["https://"], both, []])
        #expect(try await shell.completes(["fetch https:"]) == ["https://"])
    }

    @Test(arguments: CompletingShell.allCases)
    func flagsEndAtTwoDashes(_ shell: CompletingShell) async throws {
        let offers = try await shell.offers([
            "fetch -- --quie", "fetch -q -- -", "fetch --header -- --quie",
        ])
        #expect(offers[0].candidates == [])
        #expect(offers[1].candidates == [])
        // There the word is a value, which only bash's function knows.
        if shell == .bash { #expect(offers[2] == ["--quiet"]) }
    }

    @Test(arguments: CompletingShell.allCases)
    func aValueWithoutAKindHasNoCandidates(_ shell: CompletingShell) async throws {
        let lines = Flags.all.filter { $0.placeholder != nil && $0.kind == .text }
            .map { "fetch --\($0.longNames[0]) mov" }
        #expect(!lines.isEmpty)
        for (line, offered) in zip(lines, try await shell.offers(lines)) {
            #expect(offered == [], "\(line)")
        }
    }
}

extension Flag {
    /// The flag as it is typed, with a value if it takes one.
    fileprivate func given(_ name: String) -> String { placeholder == nil ? name : name + " 1" }
}

extension FlagValueKind {
    /// The words that a value can be, or begin with.
    fileprivate var words: [String]? {
        switch self {
        case .choice(let words), .suggestion(let words), .beginning(let words): words
        default: nil
        }
    }
}

extension [String] {
    /// The words without the directives for bash.
    fileprivate var candidates: [String] { filter { !$0.hasPrefix("<") } }
}

extension CompletingShell {
    /// Types text after `fetch` for each name, and expects the last word to become the completed word.
    fileprivate func expect(
        _ names: [String],
        _ cases: (String) -> [(typed: String, word: String)]
    ) async throws {
        let all = names.flatMap(cases)
        let words = try await completes(all.map { "fetch \($0.typed)" })
        #expect(words.count == all.count)
        for (word, each) in zip(words, all) { #expect(word == each.word, "\(each.typed)") }
    }
}
