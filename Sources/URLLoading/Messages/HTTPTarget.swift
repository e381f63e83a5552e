/// The forms in which a request names what it is for
/// ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
struct HTTPTarget {
    /// Path and query, as a server is asked.
    let originForm: String
    /// Host and port, as a proxy is asked for a tunnel.
    let authorityForm: String

    /// Reads an absolute URL without user, password and fragment.
    init(_ url: String) {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = url.utf8.dropFirst(scheme.count + 3)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let path = Substring(rest[end...])
        originForm = path.startsWithBytes(of: "/") ? String(path) : "/" + path
        let authority = rest[..<end]
        let isAddress = authority.first == UInt8(ascii: "[")
        let hasPort =
            authority.last.map { (0x30...0x39).contains($0) } == true
            && authority.drop { $0 != UInt8(ascii: "]") && isAddress }.contains(UInt8(ascii: ":"))
        let isSecure = Substring(scheme).asciiLowercased == "https"
        authorityForm =
            hasPort
            ? String(Substring(authority)) : "\(Substring(authority)):\(isSecure ? 443 : 80)"
    }
}
