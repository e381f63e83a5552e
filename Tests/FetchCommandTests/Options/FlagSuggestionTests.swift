import Testing

@testable import FetchCommand

@Suite struct FlagSuggestionTests {
    @Test(arguments: [
        ("--outptu", "--output"), ("--cacret", "--cacert"), ("--max_time", "--max-time"),
        ("--Header", "--header"), ("--hed", "--head"), ("--no-check", "--no-check-certificate"),
        ("--timeuot", "--timeout"), ("--insecur", "--insecure"), ("--tlsmin", "--tls-min"),
    ])
    func nearest(_ typed: String, _ meant: String) {
        #expect(FlagSuggestions.near(typed).first == meant)
    }

    @Test(arguments: ["--recursive", "--xyzzy", "--", "--q", "-"])
    func noSimilarFlag(_ typed: String) {
        #expect(FlagSuggestions.near(typed) == [])
    }

    @Test func threeAtMost() {
        #expect(FlagSuggestions.near("--max-").count <= 3)
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("outptu", "output", 1), ("kitten", "sitting", 3),
        ("abc", "abc", 0),
    ])
    func editDistance(_ one: String, _ other: String, _ distance: Int) {
        #expect(EditDistance.between(Array(one.utf8), Array(other.utf8)) == distance)
    }

    @Test(arguments: [
        ("-p", "a page"), ("-E", "--certificate"), ("-l", "recursion"), ("-np", "recursion"),
        ("-K", "--config"), ("--save-headers", "--dump-header"), ("--next", "once for each"),
        ("--recursive", "recursion"), ("--ftp-pasv", "FTP"), ("--dns-servers", "--resolve"),
        ("--http3", "--http2"), ("--execute", "robots"),
    ])
    func foreignFlagsHaveAHint(_ name: String, _ word: String) throws {
        let error = try #require(usageError([name, "u"]))
        guard case .foreignFlag = error else {
            Issue.record("\(error)")
            return
        }
        #expect((error.message + (error.hint ?? "")).contains(word))
    }

    /// A hint with the name of a flag that does not exist misleads the user.
    @Test func hintsNameOnlyFlagsThatExist() {
        for spelling in PastedSpelling.refused {
            guard case .refused(_, let hint) = spelling.meaning else {
                Issue.record("\(spelling.names) is not refused")
                continue
            }
            for word in hint.split(whereSeparator: { " ;,".contains($0) }) where word.first == "-" {
                #expect(Flags.named(String(word)) != nil, "\(word)")
            }
        }
    }

    @Test func theFlagsOfAPastedFlagExist() throws {
        for spelling in PastedSpelling.accepted {
            guard case .flags(let words) = spelling.meaning else { continue }
            // Some flags mean this only together with a proxy.
            _ = try FlagParser.parse([spelling.names[0], "--proxy", "p"])
            for word in words where word.hasPrefix("--") { #expect(Flags.named(word) != nil) }
        }
    }

    @Test func noPastedFlagIsDeclaredTwice() {
        var seen: Set<String> = []
        for name in PastedSpelling.all.flatMap(\.names) {
            #expect(name.hasPrefix("-"))
            #expect(Flags.named(name) == nil, "\(name)")
            #expect(seen.insert(name).inserted, "\(name) twice")
        }
    }
}
