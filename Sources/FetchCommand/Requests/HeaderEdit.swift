import Glibc
import URLLoading

/// The change that one `-H` makes to the request's header.
enum HeaderEdit: Equatable, Sendable {
    /// `Name: value`, and `Name;` for an empty value.
    case set(HeaderField)
    /// `Name:` removes a field that is sent by default.
    case remove(String)
    /// `@FILE`: each line of the file is such an edit; the file is read when the plan is made.
    case file(InputPath)

    /// The field's name; empty for a file.
    var name: String {
        switch self {
        case .set(let field): field.name
        case .remove(let name): name
        case .file: ""
        }
    }

    /// Parses curl's notation; no error shows the text, which may be a credential.
    init(_ value: FlagValue) throws(UsageError) {
        if value.text.utf8.first == UInt8(ascii: "@") {
            let path = String(Substring(value.text.utf8.dropFirst()))
            self = .file(try InputPath(value.with(path)))
            return
        }
        try self.init(line: value, mayHaveVariables: true)
    }

    init(line value: FlagValue, mayHaveVariables: Bool) throws(UsageError) {
        let text = value.text[...]
        let colon = text.split(atFirst: UInt8(ascii: ":"))
        guard let (before, after) = colon ?? Self.beforeSemicolon(text).map({ ($0, "") }) else {
            throw value.invalidSecret(
                "a header line needs a colon",
                hint: "'Name: value' sets, 'Name:' removes, 'Name;' sends it empty"
            )
        }
        let name = String(before)
        guard HTTPSyntax.isToken(name) else {
            throw value.invalidSecret(
                "the text before the colon is not a header name",
                hint: "a name is made of letters, digits and !#$%&'*+-.^_`|~"
            )
        }
        let content =
            mayHaveVariables
            ? try HeaderVariables.resolved(HeaderText.trimmed(after)[...], value)
            : HeaderText.trimmed(after)
        guard HeaderText.isClean(content) else {
            throw value.invalidSecret("\(name): the value contains a CR, an LF or a NUL")
        }
        let isRemoval = content.isEmpty && colon != nil
        if let reason = Self.refusal(of: name, isEmpty: content.isEmpty) {
            throw value.invalidSecret("\(name) \(reason)")
        }
        self = isRemoval ? .remove(name) : .set(HeaderField(name, content))
    }

    /// The name in `Name;`, or `nil`.
    private static func beforeSemicolon(_ text: Substring) -> Substring? {
        text.utf8.last == UInt8(ascii: ";") ? Substring(text.utf8.dropLast()) : nil
    }

    /// Why a user may not set a field; `nil`: the field is allowed.
    ///
    /// Fields of RFC 9110, 7.6.1 belong to the connection. By RFC 9112, 6 a wrong length allows
    /// request smuggling.
    private static func refusal(of name: String, isEmpty: Bool) -> String? {
        switch name.lowercased() {
        case "content-length", "transfer-encoding":
            "cannot be set: it follows from the body; leave it out"
        case "connection", "keep-alive", "proxy-connection", "upgrade", "http2-settings", "trailer":
            "cannot be set: fetch manages the connection; leave it out"
        case "host" where isEmpty:
            "cannot be removed or empty: HTTP/1.1 requires it"
        default:
            nil
        }
    }
}

typealias HeaderField = HTTPHeaderFields.Field

extension HeaderField {
    /// For names and values that are known to be valid.
    init(_ name: String, _ value: String) { self.init(name: name, value: value) }

    /// Whether the field has this name, ignoring case.
    func isNamed(_ other: String) -> Bool { HTTPHeaderFields.areSame(name, other) }

    /// The value for messages: a secret becomes `(redacted)`, also in a URL.
    var shownValue: String {
        Redaction.isSecret(header: name) ? Redaction.placeholder : UserInfo.redacted(in: value)
    }
}

enum HeaderText {
    /// Whether the value has no CR, LF or NUL (RFC 9110, 5.5), by bytes: CR LF is one `Character`.
    static func isClean(_ text: some StringProtocol) -> Bool {
        !text.utf8.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 }
    }

    /// The text without leading and trailing spaces and tabs.
    static func trimmed(_ text: Substring) -> String { String(HTTPSyntax.trimmed(text)) }
}

/// Environment variables in the value of a `-H`: `env:NAME` is replaced by the variable's value, so
/// that no secret is on the command line.
///
/// NAME has capital letters, digits and `_`. Other text, such as a tag `env:prod`, is not changed.
enum HeaderVariables {
    private static let prefix = Array("env:".utf8)

    static func isUsed(in text: Substring) -> Bool { !places(Array(text.utf8)).isEmpty }

    /// The text with all variables replaced; throws if one is missing, empty, or invalid there.
    static func resolved(_ text: Substring, _ value: FlagValue) throws(UsageError) -> String {
        let bytes = Array(text.utf8)
        let places = places(bytes)
        guard !places.isEmpty else { return String(text) }
        var resolved: [UInt8] = []
        var end = 0
        for place in places {
            resolved += bytes[end..<place.lowerBound]
            end = place.upperBound
            let name = String(decoding: bytes[place].dropFirst(prefix.count), as: UTF8.self)
            guard let found = getenv(name), found.pointee != 0 else {
                throw value.invalidSecret(
                    "there is no environment variable \(name)",
                    hint: "env:\(name) is replaced by the value of that variable"
                )
            }
            resolved += UnsafeRawBufferPointer(start: found, count: strlen(found))
        }
        resolved += bytes[end...]
        guard let result = String(validating: resolved, as: UTF8.self) else {
            throw value.invalidSecret("a variable's value is not UTF-8")
        }
        return result
    }

    /// The ranges of the variables, including the prefix.
    private static func places(_ bytes: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = 0
        while start + prefix.count < bytes.count {
            let isVariable =
                bytes[start...].starts(with: prefix)
                && (start == 0 || !isWordByte(bytes[start - 1]))
            let name =
                isVariable
                ? bytes[(start + prefix.count)...].prefix(while: isWordByte) : bytes[..<0]
            guard isName(name) else {
                start += 1
                continue
            }
            places.append(start..<name.endIndex)
            start = name.endIndex
        }
        return places
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, !first.isDigit else { return false }
        return !bytes.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "_")
    }
}
