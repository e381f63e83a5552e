/// A command line that shows a use of fetch, with an explanation.
package struct Example: Sendable, Equatable {
    /// One or more sentences.
    package let explanation: String
    /// In the syntax of a POSIX shell.
    package let command: String

    package init(explanation: String, command: String) {
        self.explanation = explanation
        self.command = command
    }

    /// The command on lines of at most this width, unless a word is longer.
    ///
    /// Lines are broken at spaces outside quotes, and end with a backslash, so that a shell reads
    /// the same words.
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

    /// The parts of the command between spaces; quotes keep a part together.
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
