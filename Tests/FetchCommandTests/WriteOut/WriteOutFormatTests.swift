import Testing

@testable import FetchCommand

@Suite("Format of --write-out")
struct WriteOutFormatTests {
    private func format(_ text: String) throws -> WriteOutFormat {
        try WriteOutFormat(FlagValue(flag: "--write-out", text: text))
    }

    @Test("a format consists of variables, fields, escapes and percent signs")
    func pieces() throws {
        let code = try #require(WriteOutVariable.named("http_code"))
        #expect(
            try format(#"a%%%{http_code}\t\\n%header{X-A}%{json}"#).pieces == [
                .text("a%"), .variable(code), .text("\t\\\\n"), .header("X-A"), .json,
            ]
        )
        #expect(try format("").pieces.isEmpty)
    }

    @Test(
        "any other text is literal",
        arguments: ["%", "100%", "%z", "%{http_code", "%header", "%header{x", #"\q"#, #"\"#, "{}"]
    )
    func plain(text: String) throws {
        #expect(try format(text).pieces == [.text(text)])
    }

    @Test("an output changes where the following text goes")
    func outputs() throws {
        let parsed = try format("a%{stderr}b%output{f}c%output{>>g}d%{stdout}e%{onerror}")
        #expect(
            parsed.pieces == [
                .text("a"), .output(.standardError), .text("b"),
                .output(.file("f", appends: false)), .text("c"),
                .output(.file("g", appends: true)), .text("d"), .output(.standardOutput),
                .text("e"), .onError,
            ]
        )
        #expect(parsed.files == ["f", "g"])
        #expect(parsed.usesStandardOutput)
        #expect(try !format("%{stderr}x").usesStandardOutput)
    }

    @Test("an unknown variable is named in the error, with a similar one")
    func unknown() {
        let error = usageError(["--write-out", "%{http_cod}", "http://h/"])
        #expect(error?.message == "--write-out: '%{http_cod}' is not a variable")
        #expect(error?.hint?.hasPrefix("did you mean %{http_code}?") == true)
        #expect(usageError(["--write-out", "%output{}", "http://h/"]) != nil)
    }

    @Test("the manual names every variable, in order")
    func manual() throws {
        let flag = try #require(Flags.named("--write-out"))
        let named = flag.details.matches(of: /`([a-z_]+)`/).map { String($0.1) }
        #expect(named == WriteOutVariable.all.map(\.name))
    }

    @Test("the error of -w, which wget and curl understand differently, names the flag")
    func letter() {
        #expect(usageError(["-w", "1", "http://h/"])?.hint?.contains("--wait") == true)
    }
}
