public import FoundationEssentials

/// The scope of a credential, as Foundation's `URLProtectionSpace`: a server or a proxy, a realm, and a
/// method of authentication.
///
/// Two spaces are equal if host, port, protocol or kind of proxy, realm and method are. Values of a single
/// handshake (``serverTrust``, ``distinguishedNames``) do not count.
public final class URLProtectionSpace: Sendable {
    /// The parts that distinguish the space from others.
    package let key: CredentialKey
    /// The server's or the proxy's host, in lower case; an IPv6 address without brackets.
    public var host: String { key.host }
    /// The server's or the proxy's port.
    public var port: Int { key.port }
    /// The scheme of the URL: `NSURLProtectionSpaceHTTP` or its neighbours; `nil` for a proxy.
    public var `protocol`: String? { key.protocol }
    /// The kind of proxy: `NSURLProtectionSpaceHTTPProxy` or its neighbours; `nil` for a server.
    public var proxyType: String? { key.proxyType }
    /// The realm, as the server names it; `nil` where the method has none.
    public var realm: String? { key.realm }
    /// One of the `NSURLAuthenticationMethod` constants.
    public var authenticationMethod: String { key.method }
    /// The issuers of client certificates that a server accepts, each a DER name; `nil` for another
    /// method, or where the server names none.
    public let distinguishedNames: [Data]?
    /// The server's certificates and verdict; `nil` unless the method is server trust.
    public let serverTrust: ServerTrust?

    /// A protection space of a server.
    ///
    /// - Parameters:
    ///   - host: the server's host.
    ///   - port: the server's port.
    ///   - protocol: the URL's scheme.
    ///   - realm: the realm.
    ///   - authenticationMethod: `nil`: `NSURLAuthenticationMethodDefault`.
    public convenience init(
        host: String,
        port: Int,
        protocol: String?,
        realm: String?,
        authenticationMethod: String?
    ) {
        self.init(
            host: host,
            port: port,
            protocol: `protocol`,
            proxyType: nil,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }

    /// A protection space of a proxy.
    ///
    /// - Parameters:
    ///   - host: the proxy's host.
    ///   - port: the proxy's port.
    ///   - type: the kind of proxy; `nil`: `NSURLProtectionSpaceHTTPProxy`.
    ///   - realm: the realm.
    ///   - authenticationMethod: `nil`: `NSURLAuthenticationMethodDefault`.
    public convenience init(
        proxyHost host: String,
        port: Int,
        type: String?,
        realm: String?,
        authenticationMethod: String?
    ) {
        self.init(
            host: host,
            port: port,
            protocol: nil,
            proxyType: type ?? NSURLProtectionSpaceHTTPProxy,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }

    init(
        host: String,
        port: Int,
        protocol: String?,
        proxyType: String?,
        realm: String?,
        authenticationMethod: String?,
        distinguishedNames: [Data]? = nil,
        serverTrust: ServerTrust? = nil
    ) {
        key = CredentialKey(
            host: host.asciiLowercased.withoutBrackets,
            port: port,
            protocol: `protocol`?.asciiLowercased,
            proxyType: proxyType,
            realm: realm,
            method: authenticationMethod ?? NSURLAuthenticationMethodDefault
        )
        self.distinguishedNames = distinguishedNames
        self.serverTrust = serverTrust
    }
}

extension URLProtectionSpace {
    /// Whether it is the protection space of a proxy.
    public func isProxy() -> Bool {
        proxyType != nil
    }

    /// Whether an eavesdropper does not learn the credential: the connection uses TLS, or the method does not
    /// send it in the clear.
    public var receivesCredentialSecurely: Bool {
        if `protocol` == NSURLProtectionSpaceHTTPS || proxyType == NSURLProtectionSpaceHTTPSProxy {
            return true
        }
        return switch authenticationMethod {
        case NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
            NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodClientCertificate,
            NSURLAuthenticationMethodServerTrust:
            true
        default: false
        }
    }

    /// Whether it belongs to the server of this origin.
    func belongs(to origin: Origin) -> Bool {
        !isProxy() && `protocol` == origin.scheme && port == origin.port
            && host == origin.host.asciiLowercased.withoutBrackets
    }

    /// Whether the method authenticates a connection and not a request, so that the task asks the session's
    /// delegate before its own.
    var isConnectionLevel: Bool {
        switch authenticationMethod {
        case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
            NSURLAuthenticationMethodClientCertificate, NSURLAuthenticationMethodServerTrust:
            true
        default: false
        }
    }
}

extension URLProtectionSpace: Hashable {
    /// Whether both have the same server or proxy, realm and method.
    public static func == (one: URLProtectionSpace, other: URLProtectionSpace) -> Bool {
        one.key == other.key
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension URLProtectionSpace: CustomStringConvertible {
    /// The place, the method and the realm, for people.
    public var description: String {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let kind = proxyType.map { "\($0) proxy" } ?? `protocol` ?? "server"
        let part = realm.map { ", realm “\($0)”" } ?? ""
        return "\(kind) \(place), \(authenticationMethod)\(part)"
    }
}
