import FoundationEssentials
import Synchronization

/// A request in the form that a hop sends; we validate it once, here.
struct PreparedRequest: Sendable {
    /// The URL without user, password and fragment.
    let url: String
    let method: String
    /// A request target that replaces the URL's path and query.
    let ownTarget: String?
    /// Whether the URL requires TLS.
    let isSecure: Bool
    /// The header fields in order, without framing fields, which the engine adds.
    private(set) var fields: [HTTPHeaderFields.Field]

    /// Whether a task may send the request again when its effect is unknown ([RFC 9110
    /// §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)).
    var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
    }

    /// Whether the request has a field with this name.
    func has(_ name: String) -> Bool {
        fields.contains { HTTPHeaderFields.areSame($0.name, name) }
    }

    /// The values of the fields with this name, in order.
    func values(_ name: String) -> [String] {
        fields.filter { HTTPHeaderFields.areSame($0.name, name) }.map(\.value)
    }

    /// Whether the request does not ask for a change
    /// ([RFC 9110 §9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Removes the fields with this name.
    mutating func remove(_ name: String) {
        fields.removeAll { HTTPHeaderFields.areSame($0.name, name) }
    }

    /// Sets these fields, and removes others with the same names.
    mutating func replace(by own: [HTTPHeaderFields.Field]) {
        for field in own {
            remove(field.name)
            fields.append(field)
        }
    }

    /// The fields of framing and connection; only a stream's length may be declared
    /// (``DeclaredLengthStream``).
    static let reserved = ["Content-Length", "Transfer-Encoding", "Connection", "Upgrade"]

    /// Validates a request, and adds the default fields that it does not set.
    ///
    /// Throws `unsupportedURL` where the scheme is not HTTP's, `badURL` for any other error.
    init(
        _ request: borrowing URLRequest,
        _ defaults: DefaultFields,
        keepsDotSegments: Bool = false
    ) throws(URLError) {
        guard let url = request.url else { throw URLError(.badURL, detail: "no URL") }
        self.url = try Self.target(url, keepsDotSegments: keepsDotSegments)
        ownTarget = request.httpRequestTarget
        guard ownTarget.map(URLRequest.isRequestTarget) ?? true else {
            throw URLError(.badURL, detail: "the request target is not visible ASCII")
        }
        isSecure =
            !self.url.startsWithBytes(of: "http:") && url.scheme?.lowercased() == "https"
        method = request.httpMethod ?? "GET"
        guard HTTPSyntax.isToken(method) else {
            throw URLError(.badURL, detail: "the method is not an HTTP token", failingURL: url)
        }
        fields = try defaults.completing(request.headerFields, of: url)
    }

    /// The URL as a hop sends it; throws `unsupportedURL` for another scheme, `badURL` for an invalid URL.
    static func target(
        _ url: URL,
        keepsDotSegments: Bool = false
    ) throws(URLError) -> String {
        let plain = url.absoluteString
        if PlainURL.scheme(plain) != nil { return plain }
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
            let scheme = url.scheme?.lowercased() ?? "missing"
            let isWebSocket = ["ws", "wss"].contains(scheme)
            throw URLError(
                .unsupportedURL,
                detail: "the scheme is \(url.scheme ?? "missing"), and must be http or https"
                    + (isWebSocket ? "; web sockets are not supported" : ""),
                failingURL: url
            )
        }
        // No HTTP authentication method can send these characters, so they are an error.
        for secret in [url.user(percentEncoded: false), url.password(percentEncoded: false)]
        where secret.map(HTTPSyntax.hasControls) == true {
            throw URLError(.badURL, detail: "a control character in the URL's user or password")
        }
        guard let host = url.host(), !host.isEmpty,
            var parts = URLComponents(
                url: keepsDotSegments ? url : url.standardized,
                resolvingAgainstBaseURL: true
            )
        else { throw URLError(.badURL, detail: "no host", failingURL: url) }
        guard !host.startsWithBytes(of: "."), !Self.hidesASCII(url),
            CanonicalHost.known(host) != nil
        else {
            throw URLError(.badURL, detail: "the host is not a name", failingURL: url)
        }
        guard url.hasUsablePort else {
            throw URLError(.badURL, detail: "the port is not a number up to 65535", failingURL: url)
        }
        parts.percentEncodedUser = nil
        parts.percentEncodedPassword = nil
        parts.fragment = nil
        guard let text = parts.string else { throw URLError(.badURL, failingURL: url) }
        return text
    }

    /// Whether ASCII characters of the host are escaped: a program that compares names bytewise would
    /// treat the host as another one.
    private static func hidesASCII(_ url: URL) -> Bool {
        guard let host = url.host(percentEncoded: true), !host.utf8.contains(UInt8(ascii: ":"))
        else {
            return false
        }
        return host.split(byte: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .contains {
                guard
                    let byte = UInt8(String(decoding: $0.utf8.prefix(2), as: UTF8.self), radix: 16)
                else { return true }
                return byte < 0x80
            }
    }
}

/// The fields of every request that does not set them.
final class DefaultFields: Sendable {
    private let fields: HTTPHeaderFields
    /// The last fields that were completed: many requests share theirs.
    private let last = Mutex<(own: [HTTPHeaderFields.Field], all: [HTTPHeaderFields.Field])?>(nil)

    init(_ fields: HTTPHeaderFields) { self.fields = fields }

    /// Validates a request's fields, and adds those that it lacks; throws `badURL`.
    func completing(
        _ own: HTTPHeaderFields,
        of url: URL
    ) throws(URLError) -> [HTTPHeaderFields.Field] {
        let known = last.withLock {
            $0.flatMap { $0.own.isIdentical(to: own.fields) ? $0.all : nil }
        }
        if let known { return known }
        var all = HTTPHeaderFields(separate: fields.fields.filter { own.first($0.name) == nil })
        for field in own.fields { all.add(Self.trimmed(field.value), to: field.name) }
        // Apple's documentation: a session does not send a caller's values of these fields.
        for name in PreparedRequest.reserved where all.first(name) != nil { all[name] = nil }
        let completed = all.fields
        for field in completed { try Self.check(field, url) }
        last.withLock { $0 = (own.fields, completed) }
        return completed
    }

    private static func check(_ field: HTTPHeaderFields.Field, _ url: URL) throws(URLError) {
        guard HTTPSyntax.isToken(field.name) else {
            throw URLError(.badURL, detail: "a header's name is not a token", failingURL: url)
        }
        guard !field.value.utf8.contains(where: { $0 == 0 || $0.isLineEnd }) else {
            throw URLError(
                .badURL,
                detail: "the header \(field.name) contains a line end or NUL",
                failingURL: url
            )
        }
    }

    private static func trimmed(_ value: String) -> String {
        let isPadded = value.utf8.first?.isBlank == true || value.utf8.last?.isBlank == true
        return isPadded ? String(HTTPSyntax.trimmed(value)) : value
    }
}

extension Array {
    /// Whether both arrays share one memory, and so have the same elements.
    func isIdentical(to other: [Element]) -> Bool {
        withUnsafeBufferPointer { own in
            other.withUnsafeBufferPointer {
                own.baseAddress == $0.baseAddress && own.count == $0.count
            }
        }
    }
}
