// libcurl's engine reads each Set-Cookie before it hands the line over, as an answer of the host, the
// path and the kind of connection that it has. Its jar is emptied at once, so that nothing is ever
// sent out of it: which cookies a request has is for whoever made the request.
extension Transfer {
    /// Takes what libcurl has made of a line of an answer's head.
    func takeCookies(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {
            let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
            // Interim answers are passed over (RFC 6265 §3 allows it). 407 is a proxy's word, and
            // nothing that a server says.
            maySetCookies = status.first != UInt8(ascii: "1") && !status.starts(with: "407".utf8)
            return
        }
        guard Self.setsCookie(line) else { return }
        let taken = slot.handle.takeCookies()
        guard maySetCookies else { return }
        let path = SetCookiePath.path(in: line)
        cookies += taken.map { SetCookiePath.put(path, into: $0) }
    }

    private static func setsCookie(_ line: UnsafeRawBufferPointer) -> Bool {
        let name = "set-cookie:".utf8
        return line.count > name.count && zip(line, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}
