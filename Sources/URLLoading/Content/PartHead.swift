import FoundationEssentials

/// A part of a `multipart` body: its head, and the bytes of its body that arrived with the head.
struct ReceivedPart: Sendable {
    let fields: HTTPHeaderFields
    var body = Data()
}

/// The head of one part of a `multipart` body.
enum PartHead {
    /// Bytes; more than any part's head needs.
    static let limit = 64 << 10
    /// The same as for the head of a response.
    static let maximumFields = 1_000

    /// Parses up to the empty line, and returns the index behind it; throws `cannotParseResponse` for a
    /// head that is too large.
    static func parse(
        _ bytes: ArraySlice<UInt8>
    ) throws(URLError) -> (fields: HTTPHeaderFields, end: Int)? {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let feed = rest.firstIndex(of: 0x0A), feed - bytes.startIndex < limit {
            var line = rest[..<feed]
            if line.last == 0x0D { line.removeLast() }
            rest = rest[(feed + 1)...]
            if line.isEmpty {
                let fields = unfolded(lines).compactMap(field)
                return (HTTPHeaderFields(separate: fields), rest.startIndex)
            }
            lines.append(line)
            guard lines.count <= maximumFields else { break }
        }
        guard bytes.count < limit, lines.count <= maximumFields else {
            throw URLError(.cannotParseResponse, detail: "the header of a part is too large")
        }
        return nil
    }

    /// Joins each line with the folded lines that follow it.
    private static func unfolded(_ lines: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        for line in lines {
            if let first = line.first, first.isBlank, !fields.isEmpty {
                fields[fields.count - 1] += [0x20] + line.drop(while: \.isBlank)
            } else {
                fields.append(Array(line))
            }
        }
        return fields
    }

    /// The field of a line; `nil` for a line without a name.
    private static func field(_ line: [UInt8]) -> HTTPHeaderFields.Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = line[..<colon].trimming(\.isBlank)
        guard !name.isEmpty, name.allSatisfy(HTTPSyntax.isTokenByte) else { return nil }
        let value = line[(colon + 1)...].trimming(\.isBlank)
        return HTTPHeaderFields.Field(name: text(name), value: text(value))
    }

    /// Decodes UTF-8 if it is valid, otherwise Latin-1, which accepts all bytes.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
