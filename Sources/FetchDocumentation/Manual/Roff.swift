/// A page under way, in the macros of man(7).
struct Roff {
    private var lines: [String] = []

    /// The page, with a line feed at the end.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Writes a macro and its arguments.
    mutating func macro(_ name: String, _ arguments: String...) {
        let quoted = arguments.map { argument in
            argument.contains(" ") || argument.isEmpty ? "\"\(argument)\"" : argument
        }
        lines.append(([".\(name)"] + quoted).joined(separator: " "))
    }

    /// A line that is not printed.
    mutating func comment(_ text: String) {
        lines.append(".\\\" " + text)
    }

    mutating func section(_ title: String) {
        macro("SH", RoffText.plain(title.uppercased()))
    }

    mutating func subsection(_ title: String) {
        macro("SS", RoffText.plain(title))
    }

    /// Lines that are roff already, run together.
    mutating func append(_ lines: [String]) {
        self.lines += lines
    }

    /// A paragraph of its own.
    mutating func paragraph(_ text: String, _ prose: Prose = Prose()) {
        // After a heading the macro says nothing, and mandoc complains of it.
        if !(lines.last?.hasPrefix(".S") ?? true) { macro("PP") }
        lines += prose.lines(text)
    }

    /// A tag, which is roff already, and what it means.
    mutating func item(_ tag: String, _ lines: [String]) {
        macro("TP")
        self.lines.append(RoffText.line(tag))
        self.lines += lines
    }

    /// Lines that are printed as they are, set in by four columns.
    mutating func example(_ lines: [String]) {
        macro("PP")
        macro("RS", "4")
        macro("EX")
        self.lines += lines.map { RoffText.line(RoffText.literal($0)) }
        macro("EE")
        macro("RE")
    }
}

/// Text as it must be written so that roff prints it as it is.
enum RoffText {
    /// The longest word that is left in one piece: it fits behind a tag's indent on a terminal of 40
    /// columns.
    private static let longestWord = 24

    /// Plain words: a `-` is a hyphen, and `'` within a word an apostrophe.
    static func plain(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { $0 == "'" ? "'" : escaped($0, hyphen: "-") }.joined()
    }

    /// Text to type or compare: every character is literal, also when it is copied.
    static func literal(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { escaped($0, hyphen: "\\-") }.joined()
    }

    /// The same in bold.
    static func bold(_ text: some StringProtocol) -> String {
        "\\fB" + literal(text) + "\\fR"
    }

    /// A placeholder: the name of a value.
    static func italic(_ text: some StringProtocol) -> String {
        "\\fI" + literal(text) + "\\fR"
    }

    /// A line on which roff sees no request, since it does not begin with `.` or `'`.
    static func line(_ text: String) -> String {
        text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    /// A word of `length` columns, in roff, that is not hyphenated; one that is longer than a narrow
    /// line gets places where it may be broken.
    static func unhyphenated(_ word: String, length: Int) -> String {
        guard length > longestWord else { return "\\%" + word }
        var text = ""
        var last: Character?
        for character in word {
            if let last, "/;=,-".contains(last), !"/-".contains(character) { text += "\\:" }
            text.append(character)
            last = character
        }
        return "\\%" + text
    }

    private static func escaped(_ scalar: Unicode.Scalar, hyphen: String) -> String {
        switch scalar {
        case "-": hyphen
        case "\\": "\\e"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case " "..."~": String(scalar)
        default: "\\[u" + hexadecimal(scalar.value) + "]"
        }
    }

    /// At least four digits, in capitals: groff_char(7).
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
