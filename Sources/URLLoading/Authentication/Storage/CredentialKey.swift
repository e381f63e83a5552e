/// What a stored credential is found by: the place, the part of it, and the method.
///
/// The method belongs to it, so that a password kept for Digest is never offered to Basic, and the
/// protocol, so that one kept for `https` is never offered to `http`.
package struct CredentialKey: Sendable, Hashable, Codable {
    package let host: String
    package let port: Int
    /// `nil` for a proxy.
    package let `protocol`: String?
    /// `nil` for a server.
    package let proxyType: String?
    package let realm: String?
    package let method: String

    package init(_ space: URLProtectionSpace) {
        host = space.host
        port = space.port
        `protocol` = space.protocol
        proxyType = space.proxyType
        realm = space.realm
        method = space.authenticationMethod
    }

    package init(
        host: String,
        port: Int,
        protocol: String?,
        proxyType: String?,
        realm: String?,
        method: String
    ) {
        self.host = host
        self.port = port
        self.protocol = `protocol`
        self.proxyType = proxyType
        self.realm = realm
        self.method = method
    }

    private var parts: [ExactText?] {
        [host, String(port), `protocol`, proxyType, realm, method].map { $0.map { ExactText($0) } }
    }

    package static func == (one: CredentialKey, other: CredentialKey) -> Bool {
        one.parts == other.parts
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }

    /// The space that it is of.
    package var space: URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: port,
            protocol: `protocol`,
            proxyType: proxyType,
            realm: realm,
            authenticationMethod: method
        )
    }
}
