import URLLoading

/// The source of a secret: `@FILE`, `@-`, `env:NAME`, `fd:N`, or the text itself.
enum SecretSource: Equatable, Sendable {
    case text(Secret)
    case file(String)
    case standardInput
    /// The variable's name.
    case environment(String)
    case descriptor(CInt)

    /// Parses the notation; the secret itself is read when the plan is made.
    init(_ value: FlagValue) throws(UsageError) {
        guard !value.text.isEmpty else { throw value.invalidSecret("a value is missing") }
        if value.text == "@-" {
            self = .standardInput
        } else if let path = Self.rest(of: value.text, after: "@") {
            self = .file(try FlagValue(flag: value.flag, text: path).path())
        } else if let name = Self.rest(of: value.text, after: "env:") {
            guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0) else {
                throw value.invalidSecret("env: needs the name of a variable")
            }
            self = .environment(name)
        } else if let number = Self.rest(of: value.text, after: "fd:") {
            guard let number = CInt(digits: number) else {
                throw value.invalidSecret("fd: needs the number of a descriptor")
            }
            self = number == 0 ? .standardInput : .descriptor(number)
        } else {
            self = .text(Secret(value.text))
        }
    }

    /// Whether a flag's value is the secret itself, and not the name of a source.
    static func isLiteral(_ text: String) -> Bool {
        !["@", "env:", "fd:"].contains { rest(of: text, after: $0) != nil }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.startsWithBytes(of: prefix) else { return nil }
        return String(Substring(text.utf8.dropFirst(prefix.utf8.count)))
    }
}
