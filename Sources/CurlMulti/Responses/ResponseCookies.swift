/// The cookies that a response sets, as libcurl has read them.
///
/// libcurl's engine reads each Set-Cookie before it hands the line over, as a response of the host,
/// the path and the kind of connection that it has. Its jar is emptied at once, so that nothing is
/// ever sent out of it: which cookies a request has is for the caller that made the request.
struct ResponseCookies {
    /// What the response has set so far, refusals within a handshake included.
    private(set) var lines: [String] = []
    /// Whether it is for the response under way to set any.
    private var maySet = false

    /// Takes what libcurl has made of a line of a response's head.
    mutating func take(_ line: UnsafeRawBufferPointer, from handle: borrowing EasyHandle) {
        if line.beginsHead {
            let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
            // Interim responses are ignored (RFC 6265 §3 allows it). 407 is a proxy's word, and
            // nothing that a server says.
            maySet = status.first != UInt8(ascii: "1") && !status.starts(with: "407".utf8)
            return
        }
        guard line.begins(with: "set-cookie:") else { return }
        let taken = handle.takeCookies()
        guard maySet else { return }
        let path = SetCookiePath.path(in: line)
        lines += taken.map { SetCookiePath.put(path, into: $0) }
    }
}

/// The path that a `Set-Cookie` gives its cookie.
///
/// libcurl's list of cookies has the request's folder, with a slash behind it, for a cookie without
/// a path: that cannot be distinguished from a path that the server wrote.
enum SetCookiePath {
    /// The path as the server wrote it, be it with quotes
    /// ([RFC 6265 §5.2.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.2.4)).
    ///
    /// - Parameter line: the header line, with its name.
    /// - Returns: the path; `nil` where the server wrote none.
    static func path(in line: UnsafeRawBufferPointer) -> String? {
        var path: Slice<UnsafeRawBufferPointer>?
        let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        // Of several the last counts (§5.3, step 7).
        for part in parts.dropFirst() {
            let name = trimmed(part.prefix { $0 != UInt8(ascii: "=") })
            guard name.count == 4, zip(name, "path".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
                continue
            }
            path = trimmed(part.drop { $0 != UInt8(ascii: "=") }.dropFirst())
        }
        return path.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A line of libcurl's list with this path; empty: the default.
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

    private static func trimmed(
        _ text: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        var text = text
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.drop(while: isBlank)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
}
