import Testing

@testable import FetchCommand

@Suite struct ConfigurationLineTests {
    @Test(
        arguments: [
            ("--timeout 30", "--timeout", "30"), ("  --timeout\t 30  ", "--timeout", "30"),
            ("--timeout=30", "--timeout=30", nil), ("-T 30", "-T", "30"), ("-T30", "-T30", nil),
            ("-q", "-q", nil), ("-nv", "-nv", nil), ("-qO -", "-qO", "-"),
            ("--quiet", "--quiet", nil),
            ("--header X: a b", "--header", "X: a b"), ("--header=X: a b", "--header=X: a b", nil),
            ("-H X: a # b", "-H", "X: a # b"), ("--user-agent a=b", "--user-agent", "a=b"),
            (#"--user-agent "  a  ""#, "--user-agent", "  a  "),
            (#"--user-agent="  a  ""#, "--user-agent=  a  ", nil),
            (#"--user-agent """#, "--user-agent", ""), (#"--user-agent="""#, "--user-agent=", nil),
            ("--user-agent=", "--user-agent=", nil),
            (#"-H "X: \"a\" \\ \t\n\r#""#, "-H", "X: \"a\" \\ \t\n\r#"),
            (#"--json {"a": "b\n"}"#, "--json", #"{"a": "b\n"}"#), ("-U a\"b", "-U", "a\"b"),
            ("-U it's", "-U", "it's"), ("-U 'open", "-U", "'open"), ("-U \u{A0}x", "-U", "\u{A0}x"),
            ("--timeout = 30", "--timeout", "= 30"), ("--x", "--x", nil),
            ("-\u{301}", "-\u{301}", nil),
        ] as [(String, String, String?)]
    )
    func flags(_ text: String, _ word: String, _ value: String?) throws {
        let line = try #require(try ConfigurationLine(text[...]))
        #expect(line.word == word)
        #expect(line.value == value)
    }

    @Test(arguments: ["", "  ", "\t", "#", "  # --quiet", "#--quiet"])
    func nothing(_ text: String) throws {
        #expect(try ConfigurationLine(text[...]) == nil)
    }

    @Test(
        arguments: [
            ("http://h/", "a URL belongs on the command line"), ("timeout = 30", "not a flag"),
            ("quiet", "not a flag"), ("-", "not a flag"), ("--", "is not allowed"),
            ("-- x", "is not allowed"), (#"-U "a"#, "closing quote is missing"),
            (#"-U "a\"#, "escape"), (#"-U "a\x""#, "escape"), (#"-U "a" b"#, "follows"),
            (#"-U "a"b"#, "follows"), (#"--user-agent="a" b"#, "follows"),
            ("-U 'a b'", "single quotes"), ("--user-agent='a'", "single quotes"),
        ]
    )
    func namesTheError(_ text: String, _ words: String) throws {
        #expect(try #require(error(in: text)).message.contains(words))
    }

    private func error(in text: String) -> ConfigurationLine.ValidationError? {
        do throws(ConfigurationLine.ValidationError) {
            _ = try ConfigurationLine(text[...])
            return nil
        } catch {
            return error
        }
    }

    @Test func linesOfWgetrcGetAHint() throws {
        let found = try #require(error(in: "password = s3cret"))
        #expect(found.hint == "did you mean --password?")
        #expect(!found.message.contains("s3cret"))
    }
}
