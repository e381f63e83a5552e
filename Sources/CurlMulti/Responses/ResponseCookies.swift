import HTTPSemantics

/// The cookies that a response sets, as libcurl has read them.
///
/// libcurl's engine reads each Set-Cookie before it passes the line to us. It uses the host, the path
/// and the kind of connection of the response. We empty its jar at once, so that libcurl never sends a
/// cookie from it: the caller chooses the cookies of its request.
struct ResponseCookies {
    /// The cookies that the response has set so far, including refusals within a handshake.
    private(set) var lines: [String] = []
    /// Whether the present response may set any cookies.
    private var maySet = false

    /// Takes the cookies that libcurl has read from a line of a response's head.
    mutating func take(_ line: UnsafeRawBufferPointer, _ takeCookies: () -> [String]) {
        if line.beginsHead {
            let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
            // We ignore interim responses (RFC 6265 §3 allows it). 407 is a response of a proxy, not of
            // the server.
            maySet = status.first != UInt8(ascii: "1") && !status.starts(with: "407".utf8)
            return
        }
        guard line.begins(with: "set-cookie:") else { return }
        let taken = takeCookies()
        guard maySet else { return }
        let attributes = SetCookieAttributes(line)
        lines += taken.map { attributes.put(into: $0) }
    }
}

/// The attributes of a `Set-Cookie` that libcurl reads in another way.
struct SetCookieAttributes {
    /// The path as the server wrote it, even with quotes ([RFC 6265
    /// §5.2.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.2.4)); `nil`: none.
    ///
    /// For a cookie without a path, libcurl's list shows the request's folder with a slash at its end. We
    /// cannot distinguish that from a path that the server wrote.
    let path: String?
    /// Whether the cookie ended before 1971: libcurl 7.88 takes the year 70 for 2070.
    private let isLongOver: Bool

    init(_ line: UnsafeRawBufferPointer) {
        path = Self.value(of: "path", in: line)
        let end = Self.value(of: "expires", in: line).flatMap { CookieDate.seconds($0) }
        isLongOver =
            end.map { $0 < 365 * 86_400 } == true && Self.value(of: "max-age", in: line) == nil
    }

    /// The value of an attribute; of several, the last counts (§5.3).
    private static func value(
        of wanted: StaticString,
        in line: UnsafeRawBufferPointer
    ) -> String? {
        var value: Slice<UnsafeRawBufferPointer>?
        let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != UInt8(ascii: "=") }.trimming(isSpace)
            guard name.count == wanted.utf8CodeUnitCount,
                UnsafeRawBufferPointer(rebasing: name).begins(with: wanted)
            else { continue }
            value = part.drop { $0 != UInt8(ascii: "=") }.dropFirst().trimming(isSpace)
        }
        return value.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Replaces what libcurl's list has for them in a line; an empty path is the default one.
    func put(into line: String) -> String {
        var parts = line.utf8.split(
            separator: UInt8(ascii: "\t"),
            maxSplits: 6,
            omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count > 4 else { return line }
        parts[2] = path ?? ""
        if isLongOver { parts[4] = "1" }
        return parts.joined(separator: "\t")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte.isBlank || byte.isLineEnd }
}
