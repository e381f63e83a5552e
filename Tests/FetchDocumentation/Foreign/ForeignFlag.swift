package import FetchCommand

/// A flag of curl or wget, and its meaning in fetch.
package struct ForeignFlag: Sendable {
    /// A short spelling, with its dash.
    package let letter: String?
    /// The long name, with its dashes.
    package let name: String
    /// Example values; empty for a switch.
    ///
    /// fetch accepts the first one, unless it refuses the flag. It takes the others differently.
    package let values: [String]

    /// Parses a list: each flag is an optional letter, followed by `--name=value|value`.
    ///
    /// A comma and a blank separate flags, because a value may contain a comma.
    package static func list(_ text: String) -> [ForeignFlag] {
        text.replacing(",\n", with: ", ").split(separator: ", ").map { flag in
            let words = flag.hasPrefix("--") ? [flag] : flag.split(separator: " ", maxSplits: 1)
            let long = (words.last ?? "").split(separator: "=", maxSplits: 1)
            return ForeignFlag(
                letter: words.count > 1 ? String(words[0]) : nil,
                name: String(long.first ?? ""),
                values: long.count > 1 ? long[1].split(separator: "|").map(String.init) : []
            )
        }
    }

    /// All flags of curl.
    package static let curl = list(curlFlags)
    /// All flags of wget.
    package static let wget = list(wgetFlags)

    /// The meaning of the long name with its first value, as determined by the parser.
    package var reading: PastedReading { PastedReading(name, values.first) }

    /// The flag's row in the table.
    ///
    /// - Parameter neighbour: a flag that only the other program has; after it, ambiguous letters
    ///   have that program's meaning.
    /// - Returns: the cells; `nil` if fetch does not know the flag.
    package func row(_ neighbour: String?) -> [String]? {
        let here: String
        var notes: [String]
        switch reading.verdict {
        case .unknown, .refusedValue: return nil
        case .refused(let reason, let hint):
            here = "refused"
            notes = ["Refused: " + Self.reason(reason, hint)]
        case .means:
            (here, notes) = meaning()
        }
        notes += valueNotes + letterNotes(neighbour)
        let spelling = [letter, name].compactMap(\.self).map(Self.code).joined(separator: ", ")
        return [spelling, here, notes.joined(separator: " ")]
    }

    private func meaning() -> (here: String, notes: [String]) {
        if let flag = Flags.named(name) {
            let own = flag.longNames.first.map { "--\($0)" } ?? flag.names[0]
            return (own == name ? "the same" : Self.code(own), [Self.sentence(flag.help)])
        }
        let words = reading.words ?? []
        let flag = words.first.flatMap(Flags.named)
        let here = flag == nil ? "nothing" : Self.code(words.joined(separator: " "))
        let help = flag.map { Self.sentence($0.help) } ?? "fetch needs no flag for it."
        // One value that needs no flag stands for all values.
        guard let value = values.first, flag != nil || values.count > 1 else {
            return (here, [help])
        }
        return (here, ["That is for \(Self.code("\(name) \(value)")).", help])
    }

    /// A sentence for each further value that has another meaning, or is refused.
    private var valueNotes: [String] {
        values.dropFirst().compactMap { value in
            let reading = PastedReading(name, value)
            let line = "\(name) \(value)"
            guard case .means = reading.verdict else {
                return Self.note(line, "", reading.verdict, of: name)
            }
            guard let words = reading.words, words != self.reading.words else { return nil }
            return words.isEmpty
                ? "\(Self.code(line)) needs no flag."
                : "\(Self.code(line)) is \(Self.code(words.joined(separator: " ")))."
        }
    }

    /// How the letter's meaning differs from the long name's, alone or beside the neighbour.
    private func letterNotes(_ neighbour: String?) -> [String] {
        guard let letter, name != neighbour else { return [] }
        let long = reading.verdict
        let alone = PastedReading(letter, values.first).verdict
        let beside =
            neighbour.map { PastedReading(letter, values.first, after: [$0]).verdict } ?? alone
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

    /// - Parameters:
    ///   - line: the letter, or the flag with a value.
    ///   - place: what stands beside it.
    ///   - verdict: its meaning.
    ///   - name: the flag that the parser's message names; `nil`: the line.
    /// - Returns: a sentence about the line.
    private static func note(
        _ line: String,
        _ place: String,
        _ verdict: PastedReading.Verdict,
        of name: String? = nil
    ) -> String {
        let subject = "\(code(line))\(place)"
        return switch verdict {
        case .means([]): "\(subject) does nothing."
        case .means(let names): "\(subject) is \(names.map(code).joined(separator: " and "))."
        case .refused(let message, let hint), .refusedValue(let message, let hint):
            "\(subject) is refused: \(reason(message, hint, of: name ?? line))"
        case .unknown: "\(subject) is not known."
        }
    }

    /// A message and its hint as sentences, without the flag's name at their start.
    private static func reason(_ message: String, _ hint: String?, of name: String = "") -> String {
        let start = "\(name): "
        let text = message.hasPrefix(start) ? String(message.dropFirst(start.count)) : message
        return ([sentence(text, isFirst: false)] + (hint.map { [sentence($0)] } ?? []))
            .joined(separator: " ")
    }

    private static func code(_ text: String) -> String { "`\(text)`" }

    /// A flag's help as a sentence in a table cell, with flags between backquotes.
    private static func sentence(_ text: String, isFirst: Bool = true) -> String {
        var words: [String] = []
        for word in text.replacing("|", with: "\\|").split(separator: " ") {
            // Punctuation at a word's end is not part of the flag.
            var core = word
            while let last = core.last, ",;:.)".contains(last) { core.removeLast() }
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
