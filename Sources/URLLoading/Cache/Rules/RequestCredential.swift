/// Who sends a request, as a digest: two who may see different things have different ones.
enum RequestCredential {
    /// The digest; `nil` where the request is nobody's in particular.
    ///
    /// - Parameters:
    ///   - fields: the request's.
    ///   - identity: what the fields do not say.
    /// - Returns: hex.
    static func digest(_ fields: HTTPHeaderFields, identity: String?) -> String? {
        let authorization = fields["Authorization"]
        guard authorization != nil || identity != nil else { return nil }
        return digest("credential\n\(authorization ?? "")\n\(identity ?? "")")
    }

    /// The digest of a secret.
    static func digest(_ text: String) -> String {
        // SHA-256 is refused by no mode of the library's.
        MessageDigest.hex(Array(text.utf8), by: .sha256) ?? StableHash.name(of: text)
    }
}
