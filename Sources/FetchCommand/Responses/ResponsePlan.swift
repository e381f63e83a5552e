import URLLoading

/// Which responses are accepted, and what is done with the others.
struct ResponsePlan: Equatable, Sendable {
    /// Accepted media types; empty: all.
    var acceptedTypes: [MediaTypePattern] = []
    /// In bytes; `nil`: no limit.
    var maxFileSize: Int64?
    /// Status codes of 400 or above that count as success.
    var acceptedStatuses = StatusList()
    /// Whether the body of an error is written to the same output as other bodies.
    var contentOnError = false
    /// A separate destination for the body of an error; never standard output.
    var errorBody: Destination?
    var range: ByteRange?
    /// Whether a range is requested, by any flag.
    var asksForPart = false
    var includesHead = false
    /// Whether binary bodies may be written to a terminal.
    var forcesTerminal = false
    /// Whether a body for standard output is buffered until it is complete and verified.
    var buffersBodies = false

    /// Derives values from several flags, and examines the file of `--error-body`.
    mutating func complete(_ options: Options) throws(UsageError) {
        if options.checksum != nil || options.checksumSource != nil { buffersBodies = true }
        asksForPart = range != nil || options.header("Range") != nil
        guard let path = options.errorBody else { return }
        let name: OutputName = path == "-" ? .standardOutput : .path(path)
        let destination = try Destination.named(name)
        if destination == .standardOutput {
            throw .invalidValue(
                flag: "--error-body",
                reason: "the body already goes to standard output",
                hint: "--content-on-error writes it there"
            )
        }
        if case .file = destination, options.hasMany {
            throw .conflict(
                "--error-body FILE",
                "several URLs",
                reason: "one file can hold only one body"
            )
        }
        errorBody = destination
    }
}

/// A pattern for accepted media types: `*` matches any text, `?` any character.
struct MediaTypePattern: Equatable, Sendable {
    /// The media type of a body without a Content-Type ([RFC 9110
    /// §8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.3)).
    static let untyped = "application/octet-stream"

    /// In lower case.
    private let pattern: [UInt8]

    /// Parses one pattern of a flag's list.
    init(_ text: Substring, of value: FlagValue) throws(UsageError) {
        let lowercase = text.lowercased()
        let parts = lowercase.split(separator: "/", omittingEmptySubsequences: false)
        let isType =
            lowercase == "*"
            || (parts.count == 2
                && parts.allSatisfy { part in
                    HTTPSyntax.isToken(String(part.map { $0 == "?" ? "x" : $0 }))
                })
        guard isType else {
            throw value.invalid(
                "is not a media type",
                hint: "write it as TYPE/SUBTYPE, as in text/html, or image/* for all images"
            )
        }
        pattern = Array(lowercase.utf8)
    }

    /// Whether a media type, without parameters and in lower case, matches.
    func matches(_ type: String) -> Bool {
        let text = Array(type.utf8)
        var place = 0
        var next = 0
        /// Where to retry after the last star: in the pattern, and in the text behind its match.
        var retry: (pattern: Int, text: Int)?
        while place < text.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                next += 1
                retry = (next, place)
            } else if next < pattern.count,
                pattern[next] == text[place] || pattern[next] == UInt8(ascii: "?")
            {
                next += 1
                place += 1
            } else if let star = retry {
                // The star matches one more character.
                retry = (star.pattern, star.text + 1)
                (next, place) = (star.pattern, star.text + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
