package import FetchCommand

/// A flag of curl or wget, and its meaning in fetch.
package struct ForeignFlag: Sendable {
    /// A short spelling, with its dash.
    package let letter: String?
    /// The long name, with its dashes.
    package let name: String
    /// An example value; `nil` for a switch.
    package let value: String?

    /// Parses a list with commas: each flag is an optional letter, followed by `--name=value`.
    package static func list(_ text: String) -> [ForeignFlag] {
        text.split(separator: ",").map { flag in
            let flag = flag.drop(while: \.isWhitespace)
            let words = flag.hasPrefix("--") ? [flag] : flag.split(separator: " ", maxSplits: 1)
            let long = (words.last ?? "").split(separator: "=", maxSplits: 1)
            return ForeignFlag(
                letter: words.count > 1 ? String(words[0]) : nil,
                name: String(long.first ?? ""),
                value: long.count > 1 ? String(long[1]) : nil
            )
        }
    }

    /// All flags of curl.
    package static let curl = list(curlFlags)
    /// All flags of wget.
    package static let wget = list(wgetFlags)

    /// The meaning of the long name, as determined by the parser.
    package var reading: PastedReading { PastedReading(name, value) }

    /// The flag's row in the table.
    ///
    /// - Parameter neighbour: a flag that only the other program has; after it, ambiguous letters
    ///   have that program's meaning.
    /// - Returns: the cells; `nil` if fetch does not know the flag.
    func row(_ neighbour: String?) -> [String]? {
        let here: String
        var notes: [String]
        switch reading.verdict {
        case .unknown, .refusedValue: return nil
        case .refused(let reason, let hint):
            here = "refused"
            notes = [Self.sentence("This is \(reason)")] + (hint.map { [Self.sentence($0)] } ?? [])
        case .means(let given):
            (here, notes) = meaning(given)
        }
        notes += letterNotes(neighbour)
        let spelling = [letter, name].compactMap(\.self).map(Self.code).joined(separator: ", ")
        return [spelling, here, notes.joined(separator: " ")]
    }

    private func meaning(_ given: [String]) -> (here: String, notes: [String]) {
        if let flag = Flags.named(name) {
            let own = flag.longNames.first.map { "--\($0)" } ?? flag.names[0]
            return (own == name ? "the same" : Self.code(own), [Self.sentence(flag.help)])
        }
        guard let words = reading.words, let first = words.first, let flag = Flags.named(first)
        else { return ("nothing", ["fetch needs no flag for it."]) }
        let help = Self.sentence(flag.help)
        guard let value else { return (Self.code(words.joined(separator: " ")), [help]) }
        return (
            Self.code(words.joined(separator: " ")),
            ["That is for \(Self.code("\(name) \(value)")). " + help]
        )
    }

    /// How the letter's meaning differs from the long name's, alone or beside the neighbour.
    private func letterNotes(_ neighbour: String?) -> [String] {
        guard let letter, name != neighbour else { return [] }
        let long = reading.verdict
        let alone = PastedReading(letter, value).verdict
        let beside = neighbour.map { PastedReading(letter, value, after: [$0]).verdict } ?? alone
        if Self.isSame(alone, long), Self.isSame(beside, long) { return [] }
        guard alone != beside, let neighbour else { return [Self.note(letter, "", alone)] }
        return [
            Self.note(letter, "", alone),
            Self.isSame(beside, long)
                ? "Beside \(Self.code(neighbour)) and its like it is \(Self.code(name))."
                : Self.note(letter, " beside \(Self.code(neighbour))", beside),
        ]
    }

    private static func isSame(_ one: PastedReading.Verdict, _ other: PastedReading.Verdict) -> Bool
    {
        switch (one, other) {
        // Both are refused, only with different messages.
        case (.refused, .refused): true
        default: one == other
        }
    }

    private static func note(
        _ letter: String,
        _ place: String,
        _ verdict: PastedReading.Verdict
    ) -> String {
        let subject = "\(code(letter))\(place)"
        return switch verdict {
        case .means([]): "\(subject) does nothing."
        case .means(let names): "\(subject) is \(names.map(code).joined(separator: " and "))."
        case .refused(let reason, let hint):
            "\(subject) is refused: \(sentence(reason, isFirst: false))"
                + (hint.map { " " + sentence($0) } ?? "")
        case .refusedValue(let message, let hint):
            "\(subject) is refused: \(sentence(message, isFirst: false))"
                + (hint.map { " " + sentence($0) } ?? "")
        case .unknown: "\(subject) is not known."
        }
    }

    private static func code(_ text: String) -> String { "`\(text)`" }

    /// A flag's help as a sentence in a table cell, with flags between backquotes.
    private static func sentence(_ text: String, isFirst: Bool = true) -> String {
        var words: [String] = []
        for word in text.replacing("|", with: "\\|").split(separator: " ") {
            let core = word.prefix { !",;:.)".contains($0) }
            let isFlag = core.hasPrefix("-") && core.count > 1 && core.contains { $0.isLetter }
            words.append(isFlag ? code(String(core)) + word.dropFirst(core.count) : String(word))
        }
        let line = words.joined(separator: " ")
        let begin =
            isFirst && !line.hasPrefix("fetch has")
            ? line.prefix(1).uppercased() : String(line.prefix(1))
        return begin + line.dropFirst() + "."
    }
}
