import TestSupport
import Testing

@testable import FetchDocumentation

@Suite struct ProseTests {
    private static let prose = Prose(variables: ["FILE", "NAME", "VALUE"], literals: ["none"])

    @Test(arguments: [
        ("see --output, or -nv.", #"see \%\fB\-\-output\fR, or \%\fB\-nv\fR."#),
        ("(--max-time)", #"(\%\fB\-\-max\-time\fR)"#),
        ("--output=FILE", #"\%\fB\-\-output\fR=\fIFILE\fR"#),
        ("a - stands", #"a \%\fB\-\fR stands"#),
        ("NAME.1 or @FILE", #"\fINAME\fR.1 or \%@\fIFILE\fR"#),
        ("FILES and FILENAME", "FILES and FILENAME"),
        ("SSL_CERT_FILE and FILE_X", #"\%SSL_CERT_FILE and \%FILE_X"#),
        ("`fetch -O` FILE", #"\%\fBfetch \-O\fR \fIFILE\fR"#),
        ("the URL's one-liner", "the URL's one-liner"),
        ("'Name:' removes", #"\(aqName:\(aq removes"#),
        ("Content-Type", #"\%Content\-Type"#),
        ("with none, no", #"with \%\fBnone\fR, no"#),
        (#"a\b ^ ~ ` é …"#, #"a\eb \(ha \(ti \(ga \[u00E9] \[u2026]"#),
    ])
    func isStyled(_ text: String, _ roff: String) {
        #expect(Self.prose.lines(text) == [roff])
    }

    @Test func sentencesHaveLinesOfTheirOwn() {
        #expect(
            Self.prose.lines("One. Two is 1.5 or so. Three") == [
                "One.", "Two is 1.5 or so.", "Three",
            ]
        )
    }

    @Test func longLinesAreBroken() {
        let text = Array(repeating: "word", count: 100).joined(separator: " ")
        let lines = Self.prose.lines(text)
        #expect(lines.count > 6)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(lines.joined(separator: " ") == text)
    }

    @Test func noLineBeginsWithARequest() {
        #expect(Self.prose.lines(".TH is none.") == [#"\&.TH is \%\fBnone\fR."#])
        for line in Self.prose.lines("x. 'tis. .so /etc/passwd") { #expect(line.first != ".") }
    }

    @Test(arguments: [
        #".so /etc/passwd"#, #"'br"#, #"\fBbold\fR and \*(Tm and \n(.l"#,
        "\"quoted\" 'words' `here`",
        "-leading --dashes and a-hyphen", "100% of $HOME {a,b} [c] <d> #e ~f ^g |h &i *j !k ?l",
        "é ü ß … – “x” 日本 🎉", #"back\slash\\twice\"#, "a\\\"comment", ". dot", ".", "..", "'",
    ])
    func isPrintedUnchanged(_ text: String) async throws {
        let page = [".TH X 1", ".SH X"] + Prose().lines(text)
        let folder = try TemporaryFolder("prose")
        try folder.write(page.joined(separator: "\n") + "\n", to: "page.1")
        let result = try await FetchProcess.shell(
            "exec groff -man -Tutf8 -P-cbou -ww -rLL=200n page.1",
            in: folder
        )
        #expect(result.stderr == "")
        let words = { (text: String) in
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let plain = text.replacing("`", with: "")
        let printed = words(result.stdoutText)
        #expect(printed.contains(words(text)) || printed.contains(words(plain)), "\(printed)")
    }
}
