/// A response's `Content-Disposition` ([RFC 6266](https://www.rfc-editor.org/rfc/rfc6266)): how to use
/// the body, and the server's name for its file.
///
/// The name is the server's own and may be anything, such as a path to another folder. A caller
/// must make it safe before it creates a file. `filename*` goes before `filename`, in UTF-8
/// or ISO-8859-1 ([RFC 8187 §3.2](https://www.rfc-editor.org/rfc/rfc8187#section-3.2)); one that
/// cannot be decoded does not count.
///
/// The reader accepts what browsers accept: a field without a type, a name without quotes that has
/// blanks, raw letters beyond ASCII, a `filename*` in quotes. A field with two meanings does not count
/// at all. Such a field has a parameter twice
/// ([§4.1](https://www.rfc-editor.org/rfc/rfc6266#section-4.1) calls it invalid), an unterminated
/// quote, or text after a closing one.
public struct ContentDisposition: Equatable, Sendable {
    /// `attachment`, `inline` or another, in lower case; empty where there is none.
    public let type: String
    /// Never empty.
    public let fileName: String?

    /// Reads the value of one field; `nil` where it makes no sense.
    public init?(_ value: String) {
        var rest = value.utf8[...]
        let head = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        if rest.dropFirst(head.count).first == UInt8(ascii: "=") {
            type = ""
        } else {
            let type = HTTPSyntax.trimmed(Substring(head))
            guard Self.isToken(type) else { return nil }
            self.type = type.asciiLowercased
            rest = rest.dropFirst(head.count + 1)
        }
        var plain: String?
        var extended: String?
        while !rest.isEmpty {
            let text = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            let name = HTTPSyntax.trimmed(Substring(text))
            rest = rest.dropFirst(text.count)
            // An empty parameter, or one without a value, is ignored.
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            guard Self.isToken(name), let value = Self.takeValue(&rest) else { return nil }
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
        fileName = decoded ?? plain.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension ContentDisposition {
    /// Takes what follows a parameter's `=`, and the `;` behind it.
    ///
    /// - Returns: the value without its quotes; `nil` where it does not end, or goes on.
    private static func takeValue(_ rest: inout Substring.UTF8View) -> String? {
        rest = rest.drop(while: isBlank)
        guard rest.first == UInt8(ascii: "\"") else {
            let text = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(text.count + 1)
            return String(HTTPSyntax.trimmed(Substring(text)))
        }
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                rest = rest.drop(while: isBlank)
                guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ";") else { return nil }
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                // A quoted-pair means its second byte, RFC 9110 §5.6.4.
                guard let next = rest.popFirst() else { return nil }
                value.append(next)
            default: value.append(byte)
            }
        }
        return nil
    }

    /// What a value such as `UTF-8'en'%e2%82%ac` means.
    private static func decode(_ value: String) -> String? {
        let parts = value.utf8.split(
            separator: UInt8(ascii: "'"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let bytes = unescaped(parts[2]), !bytes.isEmpty else { return nil }
        switch Substring(parts[0]).asciiLowercased {
        case "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            guard parts[2].allSatisfy({ $0 < 0x80 }) else { return nil }
            var text = String.UnicodeScalarView()
            for byte in bytes { text.append(Unicode.Scalar(byte)) }
            return String(text)
        default: return nil
        }
    }

    /// The bytes; `nil` where a percent sign begins no escape.
    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// A token of [RFC 9110 §5.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(HTTPSyntax.isTokenByte)
    }
}

extension HTTPHeaderFields {
    /// What a response says of its body; `nil` where it says nothing, or several things.
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
