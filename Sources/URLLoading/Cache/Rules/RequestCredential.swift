/// Who sends a request, as a digest: two who may see different things have different ones.
enum RequestCredential {
    /// The digest; `nil` where the request is nobody's in particular.
    ///
    /// - Parameters:
    ///   - fields: the request's.
    ///   - identity: what the fields do not say.
    /// - Returns: hex.
    static func digest(_ fields: HTTPHeaderFields, identity: String?) -> String? {
        guard let text = stable(fields["Authorization"]) ?? identity else { return nil }
        let whole = "credential\n\(text)\n\(identity ?? "")"
        return digest(whole)
    }

    /// The digest of a secret.
    static func digest(_ text: String) -> String {
        // SHA-256 is refused by no mode of the library's.
        MessageDigest.hex(Array(text.utf8), by: .sha256) ?? CacheChecksum.name(of: text)
    }

    /// What stays the same from one request to the next: of a Digest answer the user.
    private static func stable(_ authorization: String?) -> String? {
        guard let authorization else { return nil }
        guard authorization.prefix(7).lowercased() == "digest " else { return authorization }
        for parameter in authorization.dropFirst(7).split(separator: ",") {
            let words = parameter.drop { $0 == " " }
            if words.prefix(8).lowercased() == "username" { return String(words) }
        }
        return authorization
    }
}
