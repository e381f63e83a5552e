import URLLoading

/// A request method, as it is sent.
struct HTTPMethod: Equatable, Sendable {
    let name: String

    static let get = HTTPMethod(known: "GET")
    static let head = HTTPMethod(known: "HEAD")
    static let post = HTTPMethod(known: "POST")
    static let put = HTTPMethod(known: "PUT")

    private init(known name: String) {
        self.name = name
    }

    /// Accepts any token except CONNECT, which requests a tunnel and not a resource.
    ///
    /// Methods are case-sensitive (RFC 9110, 9.1), so the case is kept.
    init(_ value: FlagValue) throws(UsageError) {
        guard HTTPSyntax.isToken(value.text) else {
            throw value.invalid("is not a method", hint: "a method is a word such as GET or PATCH")
        }
        guard value.text != "CONNECT" else {
            throw value.invalid("requests a proxy tunnel", hint: "use --proxy")
        }
        name = value.text
    }
}
