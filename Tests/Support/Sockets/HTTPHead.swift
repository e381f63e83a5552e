/// The head of a request, as a test's server read it.
public struct HTTPHead: Sendable, CustomStringConvertible {
    /// A header field with the client's spelling.
    public struct Field: Sendable, Equatable {
        /// The name.
        public let name: String
        /// The value, without the white space around it.
        public let value: String
    }

    /// The method, `GET`.
    public let method: String
    /// The request target, `/path?query`.
    public let target: String
    /// The version, `HTTP/1.1`.
    public let version: String
    /// The fields in the client's order.
    public let fields: [Field]
    /// The raw head, without the empty line at its end; Latin-1, one character per byte.
    public let text: String

    /// The first value of a field, whose name is compared without regard to case.
    public subscript(name: String) -> String? {
        values(name).first
    }

    /// The values of all fields of a name, which is compared without regard to case.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The raw text.
    public var description: String { text }

    /// Parses a head without its empty line.
    ///
    /// - Throws: `TestSupportError.malformed` for a head that a strict server would refuse with 400.
    init(bytes: ArraySlice<UInt8>) throws {
        // One character per byte: "\r\n" would be one `Character`, so lines are split as scalars.
        text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let lines = text.unicodeScalars.split(separator: "\n").map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
            throw TestSupportError.malformed("request line \(lines.first ?? "")")
        }
        method = String(words[0])
        target = String(words[1])
        version = String(words[2])
        fields = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                !line[..<colon].contains(" ")
            else { throw TestSupportError.malformed("field \(line)") }
            let value = line[line.index(after: colon)...]
            return Field(name: String(line[..<colon]), value: Self.trimmed(value))
        }
    }

    private static func trimmed(_ value: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = value.drop(while: isBlank)
        let count = rest.reversed().prefix(while: isBlank).count
        return String(rest.dropLast(count))
    }
}
