/// Sentences for the man page, as declarations have them: without roff's mark-up.
///
/// Flags are recognised and set in bold, and so is what is between backquotes; the names of
/// values are set in italics.
struct Prose {
    /// Words in capitals that mean a value: `FILE`.
    var variables: Set<Substring> = []
    /// Words that are typed as they are, such as the choices of a flag.
    var literals: Set<Substring> = []

    /// The longest line of the result in bytes.
    private static let width = 78

    /// The text as lines of roff, each sentence on lines of its own.
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

    /// A text of few words, on one line.
    func line(_ text: String) -> String {
        RoffText.line(words(text).map(\.word).joined(separator: " "))
    }

    /// The words in roff, and whether a sentence ends with each.
    private func words(_ text: String) -> [(word: String, endsSentence: Bool)] {
        let text = String(text.map { $0.isWhitespace ? " " : $0 })
        return text.split(separator: " ").reduce(into: [Substring]()) { joined, word in
            // Words between one pair of backquotes stay together.
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

    /// A word without the signs around it.
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

    /// The text with the names of values in italics.
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

    /// Whether every backquote has another one; where not, they are literal.
    private static func hasPairs(_ text: Substring) -> Bool {
        text.count { $0 == "`" }.isMultiple(of: 2)
    }

    /// `--output`, `-nv`, and `-` for a standard stream.
    private static func isFlag(_ word: Substring) -> Bool {
        let name = word.drop { $0 == "-" }
        guard word.hasPrefix("-"), word.count - name.count <= 2 else { return false }
        return name.isEmpty ? word == "-" : name.first.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// Media types, paths, assignments and the names of headers: no word of a language.
    private static func isTechnical(_ word: Substring) -> Bool {
        word.contains { "/=@_".contains($0) }
            || word.contains("-")
                && word.split(separator: "-").allSatisfy { $0.first?.isUppercase ?? false }
    }
}
