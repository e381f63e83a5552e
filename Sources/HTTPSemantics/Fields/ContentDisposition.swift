/// A response's `Content-Disposition`: how to use the body, and the server's name for its file.
///
/// See [RFC 6266](https://www.rfc-editor.org/rfc/rfc6266). The server may choose any name, such as a
/// path to another folder. A caller must make it safe before it creates a file. `filename*` precedes
/// `filename`, in UTF-8 or ISO-8859-1 ([RFC 8187
/// §3.2](https://www.rfc-editor.org/rfc/rfc8187#section-3.2)); we ignore one that we cannot decode.
///
/// We accept what browsers accept: a field without a type, an unquoted name with blanks, raw letters
/// beyond ASCII, and a quoted `filename*`. We ignore a field with two meanings. Such a field has a
/// parameter twice ([§4.1](https://www.rfc-editor.org/rfc/rfc6266#section-4.1) calls it invalid), an
/// unterminated quote, or text after a closing one.
public struct ContentDisposition: Equatable, Sendable {
    /// `attachment`, `inline` or another, in lower case; empty if there is none.
    public let type: String
    /// The server's name for the file, never empty; `nil` if there is none.
    public let fileName: String?

    /// Parses the value of one field; `nil` if it is malformed.
    public init?(_ value: String) {
        var scanner = FieldScanner(value)
        let beginning = scanner
        let type = HTTPSyntax.trimmed(scanner.take(while: Self.isName))
        if scanner.peek == UInt8(ascii: "=") {
            self.type = ""
            scanner = beginning
        } else {
            guard HTTPSyntax.isToken(type) else { return nil }
            self.type = type.asciiLowercased
            _ = scanner.take(";")
        }
        var plain: String?
        var extended: String?
        while !scanner.isAtEnd {
            let name = HTTPSyntax.trimmed(scanner.take(while: Self.isName))
            // We ignore an empty parameter, and one without a value.
            guard scanner.take("=") else {
                _ = scanner.take(";")
                continue
            }
            guard HTTPSyntax.isToken(name), let value = Self.takeValue(&scanner) else { return nil }
            switch name.asciiLowercased {
            case "filename":
                guard plain == nil else { return nil }
                plain = value
            case "filename*":
                guard extended == nil else { return nil }
                extended = value
            default: continue
            }
        }
        let decoded = extended.flatMap(Self.decode)
        fileName = decoded ?? plain?.nonEmpty
    }
}

extension ContentDisposition {
    private static func isName(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: ";") && byte != UInt8(ascii: "=")
    }

    /// Takes the value after a parameter's `=`, and the `;` after it; `nil` if the value has no end, or
    /// if text follows it.
    private static func takeValue(_ scanner: inout FieldScanner) -> String? {
        scanner.skipBlanks()
        guard scanner.peek == UInt8(ascii: "\"") else {
            let text = scanner.take { $0 != UInt8(ascii: ";") }
            _ = scanner.take(";")
            return String(HTTPSyntax.trimmed(text))
        }
        let value = scanner.quotedString()
        scanner.skipBlanks()
        return scanner.isAtEnd || scanner.take(";") ? value : nil
    }

    /// Decodes a value such as `UTF-8'en'%e2%82%ac`.
    private static func decode(_ value: String) -> String? {
        let parts = value.utf8.split(
            separator: UInt8(ascii: "'"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let bytes = Substring(parts[2]).percentDecodedBytes, !bytes.isEmpty
        else { return nil }
        switch Substring(parts[0]).asciiLowercased {
        case "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            guard parts[2].allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}

extension HTTPHeaderFields {
    /// The parsed `Content-Disposition`; `nil` if there is none, or if there are different ones.
    public var contentDisposition: ContentDisposition? {
        var found: ContentDisposition?
        for field in fields
        where Self.areSame(field.name, "Content-Disposition") {
            guard let one = ContentDisposition(field.value), found == nil || found == one else {
                return nil
            }
            found = one
        }
        return found
    }
}
