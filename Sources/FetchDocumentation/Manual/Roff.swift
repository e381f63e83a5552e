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
