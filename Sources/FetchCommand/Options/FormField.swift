/// One part of a form as it was asked for: `-F` and `--form-string`.
struct FormField: Equatable, Sendable {
    let name: String
    let source: InputSource
    /// What `;filename=` says, or the name of an `@FILE`.
    let filename: String?
    /// What `;type=` says.
    let contentType: String?

    /// Takes `NAME=VALUE` of `--form-string`, where nothing in VALUE has a meaning.
    init(literal value: FlagValue) throws(UsageError) {
        let (name, content) = try Self.split(value)
        self.init(name: name, source: .text(String(content)), filename: nil, contentType: nil)
    }

    init(name: String, source: InputSource, filename: String?, contentType: String?) {
        self.name = name
        self.source = source
        self.filename = filename
        self.contentType = contentType
    }

    /// Splits at the first `=`.
    static func split(_ value: FlagValue) throws(UsageError) -> (name: String, Substring) {
        guard let (name, content) = value.text[...].split(atFirst: UInt8(ascii: "=")),
            !name.isEmpty
        else {
            throw value.invalidSecret("a form field is NAME=VALUE")
        }
        return (String(name), content)
    }
}
