/// A value as it was given to a flag, with the flag's name as it was written, for the errors.
struct FlagValue {
    /// `--timeout`, or `-T`: as the user wrote it.
    let flag: String
    let text: String

    /// An error that shows the value.
    func invalid(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, value: text, reason: reason, hint: hint)
    }

    /// An error that keeps the value to itself, since it may hold a secret.
    func invalidSecret(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, value: nil, reason: reason, hint: hint)
    }

    /// The text, which must hold something and no control characters.
    func nonEmpty(_ what: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("\(what) is missing") }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw invalid("holds a control character")
        }
        return text
    }

    /// A path of a file or a folder: anything but nothing, and no NUL.
    func path() throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("a path is missing") }
        guard !text.utf8.contains(0) else { throw invalid("holds a NUL") }
        return text
    }

    /// A whole number within the range.
    func integer(in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            let limits =
                range.upperBound == Int(Int32.max)
                ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid("is not a whole number of \(limits)")
        }
        return number
    }

    /// What one of these words stands for.
    func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(UsageError) -> Choice {
        guard let choice = choices.first(where: { $0.key == text })?.value else {
            throw invalid("is not one of \(choices.map(\.key).joined(separator: ", "))")
        }
        return choice
    }

    /// One of an enumeration's words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("is not one of \(words)")
        }
        return choice
    }
}
