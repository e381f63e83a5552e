/// The forms in which a request names what it is for
/// ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
struct HTTPTarget {
    /// Path and query, as a server is asked.
    let originForm: String
    /// Host and port, as a proxy is asked for a tunnel.
    let authorityForm: String

    /// Reads an absolute URL without user, password and fragment.
    init(_ url: String) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let rest = url[start...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = rest[end...]
        originForm = path.hasPrefix("/") ? String(path) : "/" + path
        let authority = rest[..<end]
        let hasPort =
            authority.last?.isNumber == true
            && authority.drop { $0 != "]" && authority.hasPrefix("[") }.contains(":")
        authorityForm =
            hasPort
            ? String(authority)
            : "\(authority):\(url.lowercased().hasPrefix("https:") ? 443 : 80)"
    }
}
