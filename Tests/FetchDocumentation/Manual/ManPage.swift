import FetchCommand

/// The page of `man fetch`: flags and exit statuses from their declarations, and text that concerns
/// several of them.
struct ManPage {
    let flags: [Flag]
    let examples: [Example]
    /// The date of the last change, as in 2025-12-31.
    let date: String

    /// The placeholders in the page's own sentences.
    static let prose = Prose(variables: ["DATA", "DIR", "FILE", "NAME", "TYPE", "URL"])

    /// The complete page.
    var text: String {
        var page = Roff()
        page.comment(GeneratedFile.notice)
        page.macro("TH", "FETCH", "1", date, "fetch \(Version.number)", "User Commands")
        // Justified text in narrow lines has large gaps.
        page.macro("ad", "l")
        page.section("Name")
        page.append(["fetch \\- load what URLs name"])
        page.section("Synopsis")
        page.append([
            #"\fBfetch\fR [\fIoption\fR ...] \fIURL\fR ..."#, ".br",
            #"\fBfetch\fR \fB\-\-help\fR | \fB\-\-version\fR"#,
        ])
        addDescription(to: &page)
        addOptions(to: &page)
        addExitStatus(to: &page)
        addEnvironmentAndFiles(to: &page)
        addExamples(to: &page)
        page.section("See also")
        page.append([
            #"\fBcurl\fR(1), \fBwget\fR(1), \fBopenssl\-rehash\fR(1ssl), \fBfetch\-guide\fR(7)"#
        ])
        return page.text
    }
}

extension ManPage {
    /// OPTIONS: every flag, section by section.
    func addOptions(to page: inout Roff) {
        page.section("Options")
        page.paragraph(
            """
            A value is the word behind its flag. Behind a long flag it may also follow in the same \
            word after a =, as in --output=FILE, and behind a letter without anything between, as \
            in `-O`FILE. Letters may share a word, as in `-qO-`. Of a flag that is given several \
            times the last one counts, unless it says otherwise here. `--` ends the flags.
            """,
            Self.prose
        )
        for section in FlagSection.allCases {
            let flags = flags.filter { $0.section == section }
            guard !flags.isEmpty else { continue }
            page.subsection(section.rawValue)
            for flag in flags { page.item(Self.tag(flag), Self.explanation(flag)) }
        }
    }

    /// `-O, -o, --output, --output-document FILE`: all spellings, the letters first.
    private static func tag(_ flag: Flag) -> String {
        let spellings =
            flag.letters.map { "-\($0)" } + flag.singleDashNames.map { "-\($0)" }
            + flag.longNames.map { "--\($0)" }
        let names = spellings.map { "\\%" + RoffText.bold($0) }.joined(separator: ", ")
        guard let placeholder = flag.placeholder else { return names }
        return names + " " + Prose(variables: variables(of: flag)).line(placeholder)
    }

    private static func explanation(_ flag: Flag) -> [String] {
        let prose = Prose(variables: variables(of: flag))
        var help = prose
        // Only in the help line: in the details, a choice such as "none" may be an English word.
        if case .choice(let words) = flag.kind { help.literals = Set(words.map { $0[...] }) }
        let several = flag.repeats ? " May be given several times." : ""
        return help.lines(sentence(flag.help)) + prose.lines(flag.details + several)
    }

    /// The placeholders of a flag's value in help: `NAME=VALUE` has two.
    private static func variables(of flag: Flag) -> Set<Substring> {
        var variables = prose.variables
        variables.formUnion((flag.placeholder ?? "").split { !$0.isLetter })
        return variables
    }

    /// A flag's help line as a sentence.
    static func sentence(_ help: String) -> String {
        help.prefix(1).uppercased() + help.dropFirst() + "."
    }
}
