/// The text of `fetch --help`, made of the flags' own declarations.
package enum HelpText {
    /// One line, for errors as well.
    package static let usage = "Usage: fetch [options] URL..."

    /// Where the explanations begin, if the width allows.
    private static let column = 32

    /// All flags by section, wrapped at so many columns.
    static func text(width: Int = 80) -> String {
        let width = max(width, 40)
        let column = min(column, width / 2)
        var text = usage + "\n"
        for section in FlagSection.allCases {
            text += "\n\(section.rawValue):\n"
            for flag in Flags.all where flag.section == section {
                text += entry(flag, column: column, width: width)
            }
        }
        return text
    }

    private static func entry(_ flag: Flag, column: Int, width: Int) -> String {
        let left = "  " + spelling(flag)
        let lines = wrapped(flag.help, width: width - column)
        var text = left
        if left.count + 2 > column {
            text += "\n" + String(repeating: " ", count: column)
        } else {
            text += String(repeating: " ", count: column - left.count)
        }
        text += lines.joined(separator: "\n" + String(repeating: " ", count: column))
        return text + "\n"
    }

    /// `-O, -o, --output FILE`: the letters, then the first long name; aliases are for the man page.
    static func spelling(_ flag: Flag) -> String {
        var names = flag.letters.map { "-\($0)" }
        names += flag.singleDashNames.map { "-\($0)" }
        if let long = flag.longNames.first { names.append("--\(long)") }
        let indent = flag.letters.isEmpty && flag.singleDashNames.isEmpty ? "    " : ""
        return indent + names.joined(separator: ", ") + (flag.placeholder.map { " \($0)" } ?? "")
    }

    /// Breaks at spaces; a word that is longer than a line stands alone.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
