/// A command line that shows what can be done, and what it does.
package struct Example: Sendable, Equatable {
    /// Sentences.
    package let explanation: String
    /// For a POSIX shell.
    package let command: String

    package init(explanation: String, command: String) {
        self.explanation = explanation
        self.command = command
    }

    /// The command on lines of at most so many columns, where its words allow it.
    ///
    /// It is broken at spaces outside quotes, with a backslash at each line's end, so that a shell
    /// reads the same words.
    func lines(width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            // Two columns for the space and the backslash that may follow.
            if !line.isEmpty, line.count + 1 + word.count + 2 > width {
                lines.append(line + " \\")
                line = "    " + word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// The command's parts between spaces, where quotes keep a part together.
    private var words: [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in command {
            if character == " ", quote == nil {
                words.append(word)
                word = ""
                continue
            }
            word.append(character)
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
        }
        return words + [word]
    }
}
