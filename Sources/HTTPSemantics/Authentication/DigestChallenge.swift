public import FoundationEssentials

/// A Digest challenge of a server, including the forms of RFC 2617 and RFC 2069 ([RFC 7616
/// §3.3](https://www.rfc-editor.org/rfc/rfc7616#section-3.3)).
public struct DigestChallenge: Sendable, Hashable {
    /// The protected part of the server.
    public let realm: String
    /// The server's nonce, which is part of each proof.
    public let nonce: String
    /// A value that the client returns unchanged; `nil` if the server sent none.
    public let opaque: String?
    /// The hash function.
    public let function: DigestFunction
    /// The algorithm in the server's own spelling, which the client returns; `nil` if the server named none.
    public let algorithm: String?
    /// Whether the algorithm ends in `-sess`: several requests use one key.
    public let isSession: Bool
    /// Whether the server supports `qop`; a server of RFC 2069 does not.
    public let hasQOP: Bool
    /// Whether the digest may cover the request alone (`qop=auth`).
    public let offersAuth: Bool
    /// Whether the digest may cover the body too (`qop=auth-int`).
    public let offersAuthInt: Bool
    /// Whether the server refused only an old nonce, so that the credential may be right.
    public let isStale: Bool
    /// The URIs that the credential is for; empty: the whole server.
    public let domain: [String]
    /// Whether the server wants a hash of the user's name.
    public let hashesUser: Bool
    /// Whether the server declares that it reads UTF-8.
    public let isUTF8: Bool

    /// Reads a challenge; `nil` if it is not Digest, has no nonce, or demands something unsupported.
    public init?(_ challenge: HTTPChallenge) {
        guard challenge.scheme == "digest", challenge.token68 == nil,
            let nonce = challenge["nonce"]
        else { return nil }
        algorithm = challenge["algorithm"]
        var name = (algorithm ?? DigestFunction.md5.rawValue).asciiUppercased
        isSession = name.endsWithBytes(of: "-SESS")
        if isSession { name = String(Substring(name.utf8.dropLast(5))) }
        guard let function = DigestFunction(rawValue: name) else { return nil }
        self.function = function
        let offered = Self.list(challenge["qop"] ?? "")
        hasQOP = !offered.isEmpty
        offersAuth = offered.contains("auth")
        offersAuthInt = offered.contains("auth-int")
        guard !hasQOP || offersAuth || offersAuthInt else { return nil }
        realm = challenge["realm"] ?? ""
        self.nonce = nonce
        opaque = challenge["opaque"]
        isStale = challenge["stale"]?.asciiLowercased == "true"
        domain = (challenge["domain"] ?? "").split(byte: 0x20).map(String.init)
        hashesUser = challenge["userhash"]?.asciiLowercased == "true"
        isUTF8 = challenge["charset"]?.asciiLowercased == "utf-8"
    }

    /// Whether a URL is in the protection space of the URL that the server challenged.
    ///
    /// It ignores a `domain` on another server: a credential is for its own origin.
    public func covers(_ url: URL, challenged: URL) -> Bool {
        guard OriginCrossing(from: challenged, to: url).isSameOrigin else { return false }
        guard !domain.isEmpty, url != challenged else { return true }
        let path = Self.path(of: url)
        return domain.contains { text in
            guard let prefix = URLReference.url(text, relativeTo: challenged)?.absoluteURL,
                OriginCrossing(from: challenged, to: prefix).isSameOrigin
            else { return false }
            return path.startsWithBytes(of: Self.path(of: prefix))
        }
    }

    private static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    private static func list(_ text: String) -> [String] {
        text.utf8.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }
            .map { Substring($0).asciiLowercased }
    }
}

/// The hash functions of HTTP's digests.
public enum DigestFunction: String, Sendable, Hashable, CaseIterable {
    /// Insecure, but the function that most servers use.
    case md5 = "MD5"
    /// SHA-2 with 256 bits.
    case sha256 = "SHA-256"
    /// SHA-512 with other initial values, truncated to 256 bits (FIPS 180-4 §5.3.6.2).
    case sha512256 = "SHA-512-256"
}
