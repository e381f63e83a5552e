/// A request method, spelled as it goes on the wire.
struct HTTPMethod: Equatable, Sendable {
    let name: String

    static let get = HTTPMethod(known: "GET")
    static let head = HTTPMethod(known: "HEAD")
    static let post = HTTPMethod(known: "POST")
    static let put = HTTPMethod(known: "PUT")

    private init(known name: String) {
        self.name = name
    }

    /// Takes any token but CONNECT, which asks for a tunnel and not for a resource.
    ///
    /// Methods are case-sensitive (RFC 9110, 9.1), so nothing is changed.
    init(_ value: FlagValue) throws(UsageError) {
        guard HTTPToken.isToken(value.text) else {
            throw value.invalid("is not a method", hint: "a method is a word such as GET or PATCH")
        }
        guard value.text != "CONNECT" else {
            throw value.invalid("requests a proxy tunnel", hint: "use --proxy")
        }
        name = value.text
    }
}

/// A token of RFC 9110, 5.6.2: what methods and header names are made of.
enum HTTPToken {
    /// Whether the text is one.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
