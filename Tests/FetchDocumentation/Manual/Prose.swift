/// Converts the text of declarations, which has no roff mark-up, to roff.
///
/// Flags and text between backquotes become bold; placeholders of values become italic.
struct Prose {
    /// Placeholders in capital letters: `FILE`.
    var variables: Set<Substring> = []
    /// Words that are typed literally, such as the choices of a flag.
    var literals: Set<Substring> = []

    /// The maximum length of an output line, in bytes.
    private static let width = 78

    /// The text as lines of roff; each sentence begins on a new line.
    func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for (word, endsSentence) in words(text) {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > Self.width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
            if endsSentence {
                lines.append(line)
                line = ""
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map(RoffText.line)
    }

    /// A short text as one line.
    func line(_ text: String) -> String {
        RoffText.line(words(text).map(\.word).joined(separator: " "))
    }

    /// The words in roff, and whether each one ends a sentence.
    private func words(_ text: String) -> [(word: String, endsSentence: Bool)] {
        let text = String(text.map { $0.isWhitespace ? " " : $0 })
        return text.split(separator: " ").reduce(into: [Substring]()) { joined, word in
            // Words between one pair of backquotes are kept together.
            if let last = joined.last, !Self.hasPairs(last), Self.hasPairs(text[...]) {
                joined[joined.count - 1] = text[last.startIndex..<word.endIndex]
            } else {
                joined.append(word)
            }
        }
        .map { (styled($0), $0.hasSuffix(".")) }
    }

    private func styled(_ word: Substring) -> String {
        let start = word.firstIndex { !"(['\"".contains($0) } ?? word.endIndex
        let end = word[start...].lastIndex { !".,;:)]'\"?!".contains($0) }
        guard let end else { return RoffText.literal(word) }
        return RoffText.literal(word[..<start]) + styledCore(word[start...end])
            + RoffText.literal(word[word.index(after: end)...])
    }

    /// Formats a word without the punctuation around it.
    private func styledCore(_ word: Substring) -> String {
        if word.contains("`"), Self.hasPairs(word) {
            // Every second part is between backquotes.
            let parts = word.split(separator: "`", omittingEmptySubsequences: false)
            let styled = parts.enumerated().map { number, part in
                number.isMultiple(of: 2) ? withVariables(part) : RoffText.bold(part)
            }
            return RoffText.unhyphenated(styled.joined(), length: word.count)
        }
        if literals.contains(word) || Self.isFlag(word) {
            let name = word.prefix { $0 != "=" }
            let styled = RoffText.bold(name) + withVariables(word[name.endIndex...])
            return RoffText.unhyphenated(styled, length: word.count)
        }
        let text = withVariables(word)
        return Self.isTechnical(word) ? RoffText.unhyphenated(text, length: word.count) : text
    }

    /// The text with placeholders in italics.
    private func withVariables(_ text: Substring) -> String {
        let isTechnical = Self.isTechnical(text)
        var styled = ""
        var rest = text
        while let first = rest.first {
            let isWord = { (character: Character) in character.isLetter || character == "_" }
            let run = isWord(first) ? rest.prefix(while: isWord) : rest.prefix(1)
            if variables.contains(run) {
                styled += RoffText.italic(run)
            } else {
                styled += isTechnical ? RoffText.literal(run) : RoffText.plain(run)
            }
            rest = rest[run.endIndex...]
        }
        return styled
    }

    /// Whether the number of backquotes is even; if it is odd, backquotes are literal.
    private static func hasPairs(_ text: Substring) -> Bool {
        text.count { $0 == "`" }.isMultiple(of: 2)
    }

    /// Whether a word is a flag such as `--output` or `-nv`, or `-` for a standard stream.
    private static func isFlag(_ word: Substring) -> Bool {
        let name = word.drop { $0 == "-" }
        guard word.hasPrefix("-"), word.count - name.count <= 2 else { return false }
        return name.isEmpty ? word == "-" : name.first.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// Whether a word is a media type, a path, an assignment or a field name, and no English.
    private static func isTechnical(_ word: Substring) -> Bool {
        word.contains { "/=@_".contains($0) }
            || word.contains("-")
                && word.split(separator: "-").allSatisfy { $0.first?.isUppercase ?? false }
    }
}
