import URLLoading

/// A body of `multipart/form-data` (RFC 7578), which is never in memory as a whole.
struct MultipartForm: Equatable, Sendable {
    /// Has no character that would need quotes.
    let boundary: String
    let parts: [FormPart]

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The user's Content-Type with the boundary, unless it has one or is not `multipart/…`.
    func contentType(_ own: String) -> String {
        guard Self.isMultipart(own), Self.boundary(of: own) != boundary else { return own }
        return "\(own); boundary=\(boundary)"
    }

    /// The boundary in the user's Content-Type; `nil` if it has none, or an invalid one ([RFC 2046
    /// §5.1.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1)).
    static func boundary(of own: String) -> String? {
        guard isMultipart(own),
            let boundary = URLLoading.MediaType.parameter("boundary", of: own),
            (1...70).contains(boundary.utf8.count), boundary.utf8.last != 0x20,
            boundary.utf8.allSatisfy({ $0.isAlphanumeric || "'()+_,-./:=? ".utf8.contains($0) })
        else { return nil }
        return boundary
    }

    private static func isMultipart(_ type: String) -> Bool {
        type.asciiLowercased.startsWithBytes(of: "multipart/")
    }

    var segments: [BodyPlan] {
        var segments: [BodyPlan] = []
        var text = ""
        for part in parts {
            text += "--\(boundary)\r\n" + Self.header(of: part) + "\r\n"
            segments.append(.data(Array(text.utf8)))
            segments.append(part.content)
            text = "\r\n"
        }
        text += "--\(boundary)--\r\n"
        return segments + [.data(Array(text.utf8))]
    }

    /// In bytes; `nil` if the length of a part is unknown before it is read.
    var length: Int64? {
        var total: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            total = total.adding(clamping: length)
        }
        return total
    }

    /// A boundary of 128 random bits, which no part contains, not even by intent.
    static func randomBoundary() -> String {
        "fetch-" + UInt64.random(in: .min ... .max).hexText
            + UInt64.random(in: .min ... .max).hexText
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

/// A part of a form, whose file has been checked.
struct FormPart: Equatable, Sendable {
    let name: String
    let filename: String?
    /// Has no CR, LF or NUL.
    let contentType: String?
    let content: BodyPlan
}

/// The media type of a file by its name.
enum MediaType {
    /// The media type that curl's `-F` gives a file of this name; `nil`: none.
    static func ofFile(named name: String) -> String? {
        guard let (_, fileExtension) = name[...].split(atLast: UInt8(ascii: ".")) else {
            return nil
        }
        return switch fileExtension.lowercased() {
        case "gif": "image/gif"
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain"
        case "htm", "html": "text/html"
        case "pdf": "application/pdf"
        case "xml": "application/xml"
        default: nil
        }
    }

    /// The media type for a name without a known extension.
    static let unknown = "application/octet-stream"
}
