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
        let path = SetCookiePath.path(in: line)
        lines += taken.map { SetCookiePath.put(path, into: $0) }
    }
}

/// Reads the path that a `Set-Cookie` gives its cookie.
///
/// For a cookie without a path, libcurl's list shows the request's folder with a slash at its end. We
/// cannot distinguish that from a path that the server wrote.
enum SetCookiePath {
    /// The path as the server wrote it, even with quotes ([RFC 6265
    /// §5.2.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.2.4)); `nil`: none.
    static func path(in line: UnsafeRawBufferPointer) -> String? {
        var path: Slice<UnsafeRawBufferPointer>?
        let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        // Of several paths, the last counts (§5.3, step 7).
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != UInt8(ascii: "=") }.trimming(isSpace)
            guard name.count == 4, zip(name, "path".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
                continue
            }
            path = part.drop { $0 != UInt8(ascii: "=") }.dropFirst().trimming(isSpace)
        }
        return path.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Replaces the path in a line of libcurl's list; empty: the default path.
    static func put(_ path: String?, into line: String) -> String {
        var parts = line.utf8.split(
            separator: UInt8(ascii: "\t"),
            maxSplits: 6,
            omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count > 2 else { return line }
        parts[2] = path ?? ""
        return parts.joined(separator: "\t")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte.isBlank || byte.isLineEnd }
}
