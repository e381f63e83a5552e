import FetchCommand

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
        // Only there: further down they may be words of the language, as "none" is.
        if case .choice(let words) = flag.kind { help.literals = Set(words.map { $0[...] }) }
        let several = flag.repeats ? " May be given several times." : ""
        return help.lines(sentence(flag.help)) + prose.lines(flag.details + several)
    }

    /// What stands for a value in help, word by word: `NAME=VALUE` has two.
    private static func variables(of flag: Flag) -> Set<Substring> {
        var variables = prose.variables
        variables.formUnion((flag.placeholder ?? "").split { !$0.isLetter })
        return variables
    }

    /// A line of help as a sentence.
    static func sentence(_ help: String) -> String {
        help.prefix(1).uppercased() + help.dropFirst() + "."
    }
}
