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
    func nothingNear(_ typed: String) {
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
        ("-p", "a page"), ("-E", "--certificate"), ("-A", "-U"),
        ("-m", "--max-time"), ("-n", "-nv"), ("-e", "--referer"), ("-l", "recursion"),
        ("-w", "--write-out"), ("-G", "URL"), ("-np", "-nv"), ("-C", "--continue"),
        ("-J", "--content-disposition"), ("-K", "--config"), ("--retry", "--tries"),
        ("--digest", "--auth"), ("--etag-compare", "--timestamping"), ("--data-raw", "--data"),
        ("--remote-header-name", "--content-disposition"), ("--tlsv1.3", "--tls-min"),
        ("--location-trusted", "origin"), ("--continue-at", "--continue"),
    ])
    func foreignLettersNameWhatWasMeant(_ letter: String, _ word: String) throws {
        let error = try #require(usageError([letter, "u"]))
        guard case .foreignFlag = error else {
            Issue.record("\(error)")
            return
        }
        #expect((error.message + (error.hint ?? "")).contains(word))
    }

    /// A hint that names a flag that is not there sends the user in circles.
    @Test(
        arguments: ["-A", "-E", "-w", "-l", "-e", "-G", "-m", "-n", "-p", "-C", "-J", "-K"]
            + ForeignFlags.words.flatMap(\.names)
    )
    func hintsNameOnlyFlagsThatExist(_ letter: String) throws {
        let hint = try #require(ForeignFlags.error(for: letter)?.hint)
        for word in hint.split(whereSeparator: { " ;,".contains($0) }) where word.first == "-" {
            #expect(Flags.named(String(word)) != nil, "\(word)")
        }
    }

    @Test(arguments: ForeignFlags.words.flatMap(\.names))
    func noForeignWordIsAlsoAFlag(_ name: String) {
        #expect(name.hasPrefix("--") && name.utf8.count > 3)
        #expect(Flags.named(name) == nil)
        #expect(ForeignFlags.words.count { $0.names.contains(name) } == 1)
    }
}
