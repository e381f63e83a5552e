import Testing

@testable import FetchCommand

/// A flag's declared kind must agree with the parser.
@Suite struct FlagValueKindTests {
    /// Pairs of values; each flag accepts one of the pairs.
    private static let samples = [
        ("a", "b"), ("1", "2"), ("a=1", "b=2"), ("A: 1", "B: 2"), ("GET", "PUT"),
        ("a:1:127.0.0.1", "b:1:127.0.0.1"), ("1-2", "3-4"), ("20200101", "20210101"),
        ("a:1:b:1", "c:1:d:1"),
        ("http://a", "http://b"),
        ("text/a", "text/b"), ("404", "405"),
        ("md5:00000000000000000000000000000000", "md5:ffffffffffffffffffffffffffffffff"),
    ]

    @Test(arguments: Flags.all.filter { $0.placeholder != nil }.map(\.names))
    func aFlagThatRepeatsKeepsEveryValue(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        var samples = Self.samples
        if case .choice(let words) = flag.kind {
            guard words.count > 1 else { return }
            samples = [(words[0], words[1])]
        }
        let name = names[0]
        let understood = samples.first { one, two in
            [one, two].allSatisfy { (try? FlagParser.parse([name, $0])) != nil }
        }
        let (one, two) = try #require(understood, "no sample is a value of \(name): add one")
        guard name != "--upload-file" else {
            #expect(usageError([name, one, name, two, "h/"])?.message.contains("another") == true)
            return
        }
        let both = try FlagParser.parse([name, one, name, two])
        let last = try FlagParser.parse([name, two])
        // A secret has no description.
        let differs =
            String(describing: both) != String(describing: last) || both.cookie != last.cookie
        #expect(differs == flag.repeats, "\(name) says repeats: \(flag.repeats)")
    }

    @Test(arguments: Flags.all.map(\.names))
    func everyChoiceIsAcceptedAndExplained(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        guard case .choice(let words) = flag.kind else { return }
        #expect(!words.isEmpty)
        for word in words {
            _ = try FlagParser.parse([names[0], word])
            #expect(flag.help.contains(word), "help of \(names[0]) says nothing of \(word)")
        }
        #expect(usageError([names[0], "no-such-word"]) != nil)
    }

    @Test(arguments: Flags.all.map(\.names))
    func everySuggestionIsAccepted(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        switch flag.kind {
        case .suggestion(let words):
            for word in words { _ = try FlagParser.parse([names[0], word]) }
        case .beginning(let words):
            for word in words { _ = try FlagParser.parse([names[0], word + "host.example"]) }
        default: break
        }
    }

    @Test(arguments: Flags.all.map(\.names))
    func wordsNeedNoQuotes(_ names: [String]) throws {
        let flag = try #require(Flags.named(names[0]))
        switch flag.kind {
        case .choice(let words), .suggestion(let words), .beginning(let words):
            for word in words {
                #expect(word.wholeMatch(of: /[-A-Za-z0-9._:\/+]+/) != nil, "\(word)")
            }
        default: break
        }
    }
}
