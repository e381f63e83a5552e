/// A body of `multipart/form-data` (RFC 7578), as segments.
struct MultipartForm: Equatable, Sendable {
    /// Free of everything that would need quotes.
    let boundary: String
    let parts: [FormPart]

    /// The value of Content-Type.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The body from its first byte to its last.
    var segments: [BodySegment] {
        var segments: [BodySegment] = []
        var text = ""
        for part in parts {
            text += "--\(boundary)\r\n" + Self.header(of: part) + "\r\n"
            segments.append(.bytes(Array(text.utf8)))
            segments.append(part.content)
            text = "\r\n"
        }
        text += "--\(boundary)--\r\n"
        return segments + [.bytes(Array(text.utf8))]
    }

    /// In bytes; nil where a part's length is not known before it is read.
    var length: Int64? {
        var total: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            total += length
        }
        return total
    }

    /// A boundary of 128 random bits, which no part will hold by chance or by intent.
    static func randomBoundary() -> String {
        var generator = SystemRandomNumberGenerator()
        return "fetch-" + hexadecimal(generator.next()) + hexadecimal(generator.next())
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func header(of part: FormPart) -> String {
        var header = "Content-Disposition: form-data; name=\"\(escaped(part.name))\""
        if let filename = part.filename { header += "; filename=\"\(escaped(filename))\"" }
        header += "\r\n"
        if let type = part.contentType { header += "Content-Type: \(type)\r\n" }
        return header
    }

    /// A name between quotes, with the escapes that browsers and curl use: the HTML standard's
    /// "multipart/form-data encoding algorithm".
    ///
    /// NUL is escaped too.
    private static func escaped(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
            case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
            case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
            case "\0": escaped.append(contentsOf: "%00".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
