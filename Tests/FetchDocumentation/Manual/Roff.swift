/// A page in the macros of man(7), built line by line.
struct Roff {
    private var lines: [String] = []

    /// The page so far, with a line feed at the end.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds a macro with its arguments.
    mutating func macro(_ name: String, _ arguments: String...) {
        let quoted = arguments.map { argument in
            argument.contains(" ") || argument.isEmpty ? "\"\(argument)\"" : argument
        }
        lines.append(([".\(name)"] + quoted).joined(separator: " "))
    }

    /// Adds a comment.
    mutating func comment(_ text: String) {
        lines.append(".\\\" " + text)
    }

    mutating func section(_ title: String) {
        macro("SH", RoffText.plain(title.uppercased()))
    }

    mutating func subsection(_ title: String) {
        macro("SS", RoffText.plain(title))
    }

    /// Adds lines of roff to the current paragraph.
    mutating func append(_ lines: [String]) {
        self.lines += lines
    }

    /// Adds a new paragraph.
    mutating func paragraph(_ text: String, _ prose: Prose = Prose()) {
        // After a heading the macro is redundant, and mandoc warns about it.
        if !(lines.last?.hasPrefix(".S") ?? true) { macro("PP") }
        lines += prose.lines(text)
    }

    /// Adds an item: a tag, which is roff already, and its explanation.
    mutating func item(_ tag: String, _ lines: [String]) {
        macro("TP")
        self.lines.append(RoffText.line(tag))
        self.lines += lines
    }

    /// Adds literal lines, indented by four columns.
    mutating func example(_ lines: [String]) {
        macro("PP")
        macro("RS", "4")
        macro("EX")
        self.lines += lines.map { RoffText.line(RoffText.literal($0)) }
        macro("EE")
        macro("RE")
    }
}

/// Escapes text so that roff prints it unchanged.
enum RoffText {
    /// The maximum length of a word without break points: it fits after a tag's indent on a
    /// terminal of 40 columns.
    private static let maximumWordLength = 24

    /// English text: a `-` is a hyphen, and `'` within a word an apostrophe.
    static func plain(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { $0 == "'" ? "'" : escaped($0, hyphen: "-") }.joined()
    }

    /// Text to type or compare, in which every character is literal, even when copied.
    static func literal(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { escaped($0, hyphen: "\\-") }.joined()
    }

    /// Literal text in bold.
    static func bold(_ text: some StringProtocol) -> String {
        "\\fB" + literal(text) + "\\fR"
    }

    /// A placeholder, in italics.
    static func italic(_ text: some StringProtocol) -> String {
        "\\fI" + literal(text) + "\\fR"
    }

    /// A line that roff does not read as a request, because it does not begin with `.` or `'`.
    static func line(_ text: String) -> String {
        text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    /// A word of `length` columns, in roff, without hyphenation; a word that is longer than a
    /// narrow line gets break points.
    static func unhyphenated(_ word: String, length: Int) -> String {
        guard length > maximumWordLength else { return "\\%" + word }
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
