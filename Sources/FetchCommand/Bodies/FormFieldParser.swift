import URLLoading

/// Parses curl's notation of `-F`: `NAME=VALUE`, `NAME=@FILE[,FILE]…`, `NAME=<FILE`, each with
/// `;type=` and `;filename=`, and any word in double quotes, where `\"` and `\\` are escapes.
///
/// curl ignores an unknown parameter after a `;`. Here this is an error, because the text that curl
/// would drop is the user's data.
struct FormFieldParser {
    private let value: FlagValue
    /// Scalars, not characters: a combining accent after a delimiter must not hide the delimiter.
    private var rest: Substring.UnicodeScalarView

    /// The parameters that curl knows; the last two are recognised, but not supported.
    private static let parameters = ["type=", "filename=", "encoder=", "headers="]

    /// The fields of one `-F`: one field, or one for each file named.
    static func fields(_ value: FlagValue) throws(UsageError) -> [FormField] {
        let (name, content) = try FormField.split(value)
        var parser = FormFieldParser(value: value, rest: content.unicodeScalars)
        switch parser.rest.first {
        case "@":
            return try parser.files(named: name)
        case "<":
            parser.rest.removeFirst()
            let source = try parser.file(upTo: ";")
            return [try parser.finished(name: name, source: .read(source), filename: nil)]
        default:
            parser.skipSpaces()
            let text = parser.word(upTo: ";")
            let field = try parser.finished(name: name, source: .text(text), filename: nil)
            // curl begins a form within the form here.
            guard text != "(" || field.contentType?.hasPrefix("multipart/") != true else {
                throw value.invalidSecret("a form within a form is not supported")
            }
            return [field]
        }
    }

    /// Parses `@FILE,FILE`: one part for each file, with the same name (RFC 7578, 4.3).
    private mutating func files(named name: String) throws(UsageError) -> [FormField] {
        var fields: [FormField] = []
        repeat {
            rest.removeFirst()
            let file = try file(upTo: ";,")
            let filename = file.path.map { FileName.lastComponent(ofPath: $0) } ?? "-"
            fields.append(
                try finished(name: name, source: .read(file), filename: filename, more: ",")
            )
        } while !rest.isEmpty
        return fields
    }

    private mutating func file(upTo ends: String) throws(UsageError) -> InputPath {
        skipSpaces()
        return try InputPath(value.with(word(upTo: ends)))
    }

    /// Parses the parameters, up to the end or to a character of `more`.
    private mutating func finished(
        name: String,
        source: InputSource,
        filename: String?,
        more: String = ""
    ) throws(UsageError) -> FormField {
        var filename = filename
        var contentType: String?
        while rest.first == ";" {
            rest.removeFirst()
            skipSpaces()
            if skip("type=") {
                contentType = try type(upTo: more)
            } else if skip("filename=") {
                filename = word(upTo: ";" + more)
            } else {
                throw value.invalidSecret(
                    "only type= or filename= can follow the ';'",
                    hint: "use --form-string, or put the value in double quotes"
                )
            }
        }
        guard rest.first.map({ more.unicodeScalars.contains($0) }) ?? true else {
            throw value.invalidSecret("text follows a closing quote")
        }
        return FormField(name: name, source: source, filename: filename, contentType: contentType)
    }

    /// Parses a media type with its own parameters; it ends where one of `-F`'s parameters begins.
    private mutating func type(upTo more: String) throws(UsageError) -> String {
        var type = word(upTo: ";" + more)
        while rest.first == ";" {
            let next = rest.dropFirst().drop { $0 == " " }
            guard !Self.parameters.contains(where: { next.starts(with: $0.unicodeScalars) }) else {
                break
            }
            rest.removeFirst()
            type += ";" + word(upTo: ";" + more)
        }
        guard HeaderText.isClean(type), type.contains("/") else {
            throw value.invalidSecret("type= needs a media type such as text/plain")
        }
        return type
    }

    private mutating func skip(_ prefix: String) -> Bool {
        guard rest.starts(with: prefix.unicodeScalars) else { return false }
        rest.removeFirst(prefix.unicodeScalars.count)
        skipSpaces()
        return true
    }

    /// Skips white space before a word, as curl does.
    private mutating func skipSpaces() {
        rest = rest.drop { UInt8(exactly: $0.value)?.isSpace == true }
    }

    /// Parses a quoted word, or the text up to one of `ends`, without white space at its end.
    private mutating func word(upTo ends: String) -> String {
        if rest.first == "\"", let quoted = quotedWord() { return quoted }
        let end = rest.firstIndex { ends.unicodeScalars.contains($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        let word = Substring(rest[..<end]).utf8
        guard let last = word.lastIndex(where: { !$0.isSpace }) else { return "" }
        return String(Substring(word[...last]))
    }

    /// Parses a word in quotes; `nil` if the closing quote is missing: the quote is literal.
    private mutating func quotedWord() -> String? {
        var word = String.UnicodeScalarView()
        var tail = rest.dropFirst()
        while let scalar = tail.popFirst() {
            if scalar == "\"" {
                rest = tail
                skipSpaces()
                return String(word)
            }
            if scalar == "\\", let next = tail.first, next == "\"" || next == "\\" {
                tail.removeFirst()
                word.append(next)
            } else {
                word.append(scalar)
            }
        }
        return nil
    }
}

/// One field of `-F` or `--form-string`.
struct FormField: Equatable, Sendable {
    let name: String
    let source: InputSource
    /// The value of `;filename=`, or else the name of an `@FILE`.
    let filename: String?
    /// The value of `;type=`.
    let contentType: String?
}

extension FormField {
    /// Parses `NAME=VALUE` of `--form-string`, where VALUE is literal.
    init(literal value: FlagValue) throws(UsageError) {
        let (name, content) = try Self.split(value)
        self.init(name: name, source: .text(String(content)), filename: nil, contentType: nil)
    }

    /// Splits at the first `=`.
    static func split(_ value: FlagValue) throws(UsageError) -> (name: String, Substring) {
        guard let (name, content) = value.text[...].split(atFirst: UInt8(ascii: "=")),
            !name.isEmpty
        else { throw value.invalidSecret("a form field is NAME=VALUE") }
        return (String(name), content)
    }
}
