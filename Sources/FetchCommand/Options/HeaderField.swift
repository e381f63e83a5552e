import URLLoading

/// A header line that may be sent: the name is a token, and the value holds no CR, LF or NUL.
struct HeaderField: Equatable, Sendable {
    let name: String
    let value: String

    /// For names and values that are known to be clean.
    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this line speaks of the same field; names know no case.
    func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}

extension HeaderField: CustomStringConvertible {
    /// The line as it may be shown: a credential is `(redacted)`, also in a URL.
    var description: String {
        if Redaction.isSecret(header: name) { return "\(name): \(Redaction.placeholder)" }
        let shown = isNamed("Referer") ? Redaction.url(value) : value
        return "\(name): \(UserInfo.redacted(in: shown))"
    }
}
