import HTTPSemantics

/// Parses the lines that libcurl passes to us, one at a time, into the heads of a response.
///
/// Interim responses (1xx) precede a final one; trailers follow a final head ([RFC 9112
/// §7.1.2](https://www.rfc-editor.org/rfc/rfc9112#section-7.1.2)).
package struct ResponseHeadParser {
    /// The maximum size of all heads: more than any honest server sends; Chromium's limit for a whole head.
    static let limit = 256 << 10
    /// The maximum number of fields: ten times as many as the largest usual response has.
    static let maximumFields = 1_000

    /// The fields that define how to read the bytes of the body.
    private static let framing: Set = ["content-length", "transfer-encoding", "content-encoding"]

    enum Line: Equatable {
        /// The line belongs to a head that continues.
        case more
        /// The empty line after the head of an interim response from the server.
        case interim(ResponseHead)
        /// The empty line after a final response's head.
        case head(ResponseHead)
        /// The line does not belong to a head, the head is too long, or it contradicts itself about the
        /// body's length.
        case malformed
    }

    /// Whether another response may follow a final one: libcurl makes its handshake within one transfer.
    var mayBeFollowed = false
    /// Whether the parser is inside a head.
    private var hasBegun = false
    /// The head's status line; its fields are separate, so that the parser appends to them in place.
    private var start = ResponseHead(version: "", status: 0, reason: "", fields: [])
    private var fields: [HTTPHeaderFields.Field] = []
    /// The fields of an earlier head, whose texts a head with the same lines shares: most servers send most
    /// fields with every response.
    private let known: [HTTPHeaderFields.Field]
    private var isFinished = false
    /// Whether the last line was not a field, so that the parser skips the folded lines after it.
    private var isSkipping = false
    private var size = 0
    /// The fields after the body, if the head has announced any.
    ///
    /// See [RFC 9110 §6.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-6.6.2): no server can
    /// expect us to read unannounced ones.
    private(set) var trailers: [HTTPHeaderFields.Field] = []
    private var keepsTrailers = false
    /// Whether the response is one to CONNECT, which has no body for us.
    private let isConnectResponse: Bool

    init(isConnectResponse: Bool = false, like known: [HTTPHeaderFields.Field] = []) {
        self.known = known
        self.isConnectResponse = isConnectResponse
        mayBeFollowed = isConnectResponse
    }

    /// Parses complete heads; `nil` if they are malformed or cut off.
    ///
    /// Interim heads may precede a final one, and nothing may follow that.
    package static func heads(_ bytes: UnsafeRawBufferPointer) -> [ResponseHead]? {
        var parser = ResponseHeadParser()
        var heads: [ResponseHead] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            guard !parser.isFinished else { return nil }
            switch parser.take(UnsafeRawBufferPointer(rebasing: rest[...end])) {
            case .more: break
            case .interim(let head), .head(let head): heads.append(head)
            case .malformed: return nil
            }
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty && !parser.hasBegun ? heads : nil
    }

    /// Takes one line, including its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Line {
        size += line.count
        guard size <= Self.limit else { return .malformed }
        // The lines after a final head are trailers, whatever they contain.
        if isFinished {
            guard mayBeFollowed, line.beginsHead else {
                if keepsTrailers { takeTrailer(line) }
                return .more
            }
            isFinished = false
            trailers = []
            size = line.count
        }
        let content = Self.trimmed(line)
        if content.beginsHead { return begin(content) }
        guard hasBegun else { return .malformed }
        if content.isEmpty, line.allSatisfy(\.isLineEnd) { return end() }
        let isFolded = line.first?.isBlank == true
        guard addField(content, isFolded: isFolded) else { return .malformed }
        return fields.count > Self.maximumFields ? .malformed : .more
    }

    /// Takes a status line: version, status and reason, with one or more spaces between them.
    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Line {
        let version = line.dropFirst(5).prefix { $0 != 0x20 }
        let rest = line[version.endIndex...].drop { $0 == 0x20 }
        let digits = rest.prefix { $0 != 0x20 }
        var status = 0
        for digit in digits {
            guard digit.isDigit, status < 1_000 else { return .malformed }
            status = status * 10 + Int(digit - 0x30)
        }
        guard !version.isEmpty, (100...999).contains(status) else { return .malformed }
        let reason = rest[digits.endIndex...].drop { $0 == 0x20 }
        start = ResponseHead(
            version: Self.text(UnsafeRawBufferPointer(rebasing: version)),
            status: status,
            reason: Self.text(UnsafeRawBufferPointer(rebasing: reason)),
            fields: []
        )
        hasBegun = true
        fields.removeAll()
        // A usual head has at most 16 fields.
        fields.reserveCapacity(16)
        isSkipping = false
        return .more
    }

    private mutating func end() -> Line {
        hasBegun = false
        // This covers 101 too: we offer only the upgrade to HTTP/2, and the real head follows it.
        guard start.status != 101 else { return .more }
        var complete = start
        swap(&complete.fields, &fields)
        if complete.status < 200 { return isConnectResponse ? .more : .interim(complete) }
        guard isConnectResponse || Self.hasClearLength(complete) else { return .malformed }
        isFinished = true
        keepsTrailers = complete.fields.contains {
            $0.name.utf8.count == 7 && $0.name.lowercased() == "trailer"
        }
        return .head(complete)
    }

    /// Takes a line after the body; ignores a line that is not a field.
    private mutating func takeTrailer(_ line: UnsafeRawBufferPointer) {
        let text = Self.text(Self.trimmed(line))
        let isFolded = line.first?.isBlank == true
        guard !isFolded, trailers.count < Self.maximumFields,
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex
        else { return }
        let value = text.utf8[text.utf8.index(after: colon)...].drop(while: \.isBlank)
        trailers.append(.init(name: String(text[..<colon]), value: String(Substring(value))))
    }

    /// Whether the head gives the body's length once, or the same number each time.
    ///
    /// See [RFC 9112 §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3). Of several lengths,
    /// libcurl uses the last, and it ignores one that is too large. Then we could not distinguish a
    /// truncated body from a complete one.
    private static func hasClearLength(_ head: ResponseHead) -> Bool {
        guard !head.has("transfer-encoding") else { return true }
        let values = head.values("content-length")
        if values.count == 1, let only = values.first, only.utf8.allSatisfy(\.isDigit) {
            return Int64(only) != nil
        }
        let lengths = values.flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { text -> Int64? in
                Int64(digits: text.drop { $0 == " " })
            }
        }
        return lengths.allSatisfy { $0 != nil && $0 == lengths.first }
    }

    /// Takes a field, or one more line of the last field; `false` if two parsers could read it differently.
    ///
    /// White space before the colon does not belong to the name ([RFC 9112
    /// §5.1](https://www.rfc-editor.org/rfc/rfc9112#section-5.1)). libcurl does not recognise such a
    /// field, so it must not define how to read the body. A line without a name is not a field.
    private mutating func addField(_ line: UnsafeRawBufferPointer, isFolded: Bool) -> Bool {
        if isFolded {
            // Parsers differ in how they read a head that begins with such a line.
            guard let last = fields.indices.last else { return isSkipping }
            if !isSkipping {
                // White space around a value does not belong to it, even between several lines.
                if !fields[last].value.isEmpty, !line.isEmpty { fields[last].value += " " }
                fields[last].value += Self.text(line)
            }
            return true
        }
        if fields.count < known.count, known[fields.count].isLine(line) {
            fields.append(known[fields.count])
            isSkipping = false
            return true
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let last = colon.flatMap { colon in line[..<colon].lastIndex { !$0.isBlank } }
        isSkipping = last == nil
        guard let colon, let last else { return true }
        let name = Self.text(UnsafeRawBufferPointer(rebasing: line[...last]))
        guard last + 1 == colon || !Self.framing.contains(name.lowercased()) else { return false }
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...].drop(while: \.isBlank))
        var text = Self.text(value)
        // Latin-1 takes more bytes as UTF-8.
        if text.utf8.count != value.count, HTTPHeaderFields.areSame(name, "Location") {
            text = Self.url(value)
        }
        fields.append(HTTPHeaderFields.Field(name: name, value: text))
        return true
    }

    /// A URL that is not UTF-8, with its bytes beyond ASCII percent-encoded, as browsers send it.
    private static func url(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.reduce(into: "") { URLReference.append($1, to: &$0, asIs: $1 < 0x80) }
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = line.count
        while end > 0, line[end - 1].isBlank || line[end - 1].isLineEnd { end -= 1 }
        while start < end, line[start].isBlank { start += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }

    /// Decodes UTF-8 if the bytes are valid; otherwise Latin-1, which any bytes are ([RFC 9110
    /// §5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        // Nearly all texts are ASCII, and need no validation.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// A proxy's response to CONNECT, from the lines that libcurl passes to us before the request.
///
/// If libcurl authenticates to the proxy, there may be several responses in a row: the last one counts.
/// An interim response (1xx) is not a refusal, but libcurl 7.88 treats it as one.
struct ConnectResponse {
    /// The head of a response that opens no tunnel.
    private(set) var refusal: ResponseHead?
    /// How many such responses there were, also on earlier connections.
    private(set) var refusals: Int
    private var parser = ResponseHeadParser(isConnectResponse: true)

    init(refusals: Int = 0) {
        self.refusals = refusals
    }

    /// Takes one line, including its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> ResponseHeadParser.Line {
        if line.beginsHead { refusal = nil }
        let result = parser.take(line)
        // A 2xx has neither a length nor a body, whatever its fields say (RFC 9110 §9.3.6).
        if case .head(let head) = result, !(200..<300).contains(head.status) {
            refusal = head
            refusals += 1
        }
        return result
    }
}
