import Testing
import URLLoading

@testable import FetchCommand

@Suite struct FlagParserTests {
    @Test(arguments: [
        ["--output", "x", "u"], ["--output=x", "u"], ["-O", "x", "u"], ["-Ox", "u"],
        ["u", "-O", "x"],
        ["-qOx", "u"], ["-qO", "x", "u"], ["-o", "x", "u"], ["--output-document=x", "u"],
        ["-O", "first", "-O", "x", "u"], ["-kqvOx", "--", "u"],
    ])
    func valuesFollowAsInWget(_ arguments: [String]) throws {
        let options = try FlagParser.parse(arguments)
        #expect(options.output == .path("x"))
        #expect(options.urls == ["u"])
    }

    @Test(arguments: [["-qO-", "u"], ["-qO", "-", "u"], ["-q", "--output=-", "u"]])
    func outputDash(_ arguments: [String]) throws {
        let options = try FlagParser.parse(arguments)
        #expect(options.output == .standardOutput)
        #expect(options.verbosity == .quiet)
        #expect(options.urls == ["u"])
    }

    @Test func valuesMayBeginWithADashAfterAnEqualsSign() throws {
        let options = try options("--data=-5", "--user-agent=--quiet", "-r", "-500", "u")
        #expect(options.data.map(\.source) == [.text("-5")])
        #expect(options.userAgent == "--quiet")
        #expect(options.verbosity == .normal)
        #expect(options.responses.range == .last(500))
    }

    @Test(arguments: [
        (["-d", "-5", "u"], "--data=-5"), (["--user-agent", "-q", "u"], "--user-agent=-q"),
        (["-o", "-L", "u"], "--output=-L"), (["-qP", "-v", "u"], "--directory-prefix=-v"),
        (["-d", "-q", "u"], "--verbose"), (["-x", "-q", "u"], "--force-directories"),
        (["-r", "-np", "u"], "recursion"),
        (["--password", "-s3cret", "u"], "--password=-PASSWORD"),
    ])
    func aFlagInThePlaceOfAValueIsRefused(_ arguments: [String], _ word: String) throws {
        let error = try #require(usageError(arguments))
        #expect(error.hint?.contains(word) == true, "\(error)")
        #expect(!"\(error.message) \(error.hint ?? "")".contains("s3cret"))
    }

    @Test func dashesEndTheFlags() throws {
        #expect(try options("-q", "--", "-O", "--help", "--").urls == ["-O", "--help", "--"])
    }

    @Test func singleDashWords() throws {
        #expect(try options("-nv").verbosity == .brief)
        let silent = try options("-sS")
        #expect(silent.hidesProgress && !silent.showsResponseHeaders)
    }

    @Test(arguments: ["-sS", "-Ss", "-fsSL", "-sSf", "-fSsL"])
    func besideSilentTheUppercaseSIsCurls(_ word: String) throws {
        let options = try options(word)
        #expect(options.hidesProgress)
        #expect(!options.showsResponseHeaders)
    }

    @Test(arguments: ["-S", "-qS", "-SOs.txt", "-SUs"])
    func otherwiseTheUppercaseSIsWgets(_ word: String) throws {
        #expect(try options(word).showsResponseHeaders)
    }

    @Test(arguments: [["-s", "-S"], ["-S", "-f"], ["-fS"], ["--location", "-S"]])
    func besideOtherFlagsOfCurlTheUppercaseSIsCurls(_ words: [String]) throws {
        #expect(!(try FlagParser.parse(words).showsResponseHeaders))
    }

    @Test func anEmptyValueIsAValue() throws {
        #expect(try options("--user-agent=").userAgent == "")
        #expect(try options("-U", "").userAgent == "")
        #expect(try options("--data=a=b").data.map(\.source) == [.text("a=b")])
    }

    @Test func lastWordsCount() throws {
        #expect(try options("-vv", "-q").verbosity == .quiet)
        #expect(try options("-q", "-nv").verbosity == .brief)
        #expect(try options("-T", "1", "-T", "2").session.settings.timeoutForRequest == 2)
        #expect(try options("--no-proxy", "-x", "h").transport.proxy == .url("h"))
        #expect(try options("-x", "h", "--no-proxy").transport.proxy == .none)
    }

    @Test func helpEndsTheParsing() throws {
        #expect(try options("--help", "--nonsense").information == .help(nil))
        #expect(try options("--help", "all").information == .help("all"))
        #expect(try options("--help=tls", "x").information == .help("tls"))
        #expect(try options("-q", "-V").information == .version)
        #expect(try options("-qh").information == .help(nil))
    }

    @Test func optionsAreAddedToOthers() throws {
        let base = try options("-q", "-T", "5")
        let both = try FlagParser.parse(["-T", "6"], onto: base)
        #expect(both.verbosity == .quiet)
        #expect(both.session.settings.timeoutForRequest == 6)
    }

    @Test(arguments: ["-f", "-L", "-R", "--fail", "--location"])
    func pastedFlagsHaveNoEffect(_ flag: String) throws {
        let (with, without) = (try plan(flag, "h/x"), try plan("h/x"))
        #expect(with.tasks == without.tasks)
        #expect(described(with.session) == described(without.session))
        #expect(with.messages == without.messages)
        #expect(with.responses == without.responses)
    }

    @Test(arguments: [
        ("--quiet=yes", UsageError.unexpectedValue(flag: "--quiet")),
        ("--head=", .unexpectedValue(flag: "--head")),
        ("--output", .missingValue(flag: "--output", placeholder: "FILE")),
        ("-qO", .missingValue(flag: "-O", placeholder: "FILE")),
        ("--outptu", .unknownFlag("--outptu", near: ["--output"])),
        ("--outptu=x", .unknownFlag("--outptu", near: ["--output"])),
        ("--outpu", .unknownFlag("--outpu", near: ["--output", "--output-dir", "--output-file"])),
        ("-output", .unknownFlag("-output", near: ["--output"])),
        ("-header", .unknownFlag("-header", near: ["--header"])),
        ("--zzzzzzzz", .unknownFlag("--zzzzzzzz", near: [])),
        ("-Y", .unknownFlag("-Y", near: [])),
        ("-qY", .unknownFlag("-Y", near: [])),
        ("--=x", .unknownFlag("--", near: [])),
    ])
    func malformedFlags(_ argument: String, _ error: UsageError) {
        #expect(usageError([argument]) == error)
    }
}
