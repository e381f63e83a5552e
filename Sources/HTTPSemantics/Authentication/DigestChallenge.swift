public import FoundationEssentials

/// A Digest challenge of a server ([RFC 7616
/// §3.3](https://www.rfc-editor.org/rfc/rfc7616#section-3.3)), and with the forms of RFC 2617 and RFC
/// 2069 before it.
public struct DigestChallenge: Sendable, Hashable {
    /// The protected part of the server.
    public let realm: String
    /// The server's nonce, which is part of each proof.
    public let nonce: String
    /// A value that is sent back unchanged; `nil` where the server sent none.
    public let opaque: String?
    /// The hash function.
    public let function: DigestFunction
    /// The algorithm in the server's own spelling, which is sent back; `nil` where it named none.
    public let algorithm: String?
    /// Whether the algorithm ends in `-sess`: one key for a run of requests.
    public let isSession: Bool
    /// Whether the server knows `qop` at all; RFC 2069's did not.
    public let hasQOP: Bool
    /// Whether the request alone may be digested (`qop=auth`).
    public let offersAuth: Bool
    /// Whether the body may be digested too (`qop=auth-int`).
    public let offersAuthInt: Bool
    /// Whether only the nonce was too old, and the credential may be right.
    public let isStale: Bool
    /// The URIs that the credential is for; empty: all of the server.
    public let domain: [String]
    /// Whether the server wants the user's name hashed.
    public let hashesUser: Bool
    /// Whether the server says that it reads UTF-8.
    public let isUTF8: Bool

    /// Reads a challenge; `nil` where it is not Digest, has no nonce, or requires something unsupported.
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

    /// Whether a URL is in the protection space of a URL that was challenged.
    ///
    /// A `domain` on another server is not followed: a credential stays with its origin.
    public func covers(_ url: URL, challenged: URL) -> Bool {
        guard OriginCrossing(from: challenged, to: url).staysHome else { return false }
        guard !domain.isEmpty, url != challenged else { return true }
        let path = Self.path(of: url)
        return domain.contains { text in
            guard let prefix = URL(string: text, relativeTo: challenged)?.absoluteURL,
                OriginCrossing(from: challenged, to: prefix).staysHome
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

/// The hash functions that HTTP's digests are made with.
public enum DigestFunction: String, Sendable, Hashable, CaseIterable {
    /// Insecure, but the function that most servers use.
    case md5 = "MD5"
    /// SHA-2 with 256 bits.
    case sha256 = "SHA-256"
    /// SHA-512 with other initial values, truncated to 256 bits (FIPS 180-4 §5.3.6.2).
    case sha512256 = "SHA-512-256"
}
