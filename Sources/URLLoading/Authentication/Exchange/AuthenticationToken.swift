import FoundationEssentials
import Synchronization

/// A proof of identity, with the protection space that it is valid for.
struct AuthenticationToken: Sendable {
    let space: URLProtectionSpace
    let proof: AuthenticationProof
    /// The credential of the proof; `nil`: a Kerberos ticket.
    let credential: URLCredential?
    /// The URL whose response had the challenge.
    let url: URL?
    /// Whether the server has accepted the token for an earlier request.
    var isRemembered = false

    /// Whether the token is valid for a URL of the same origin.
    ///
    /// A Basic token is valid beside and below the challenged URL ([RFC 7617
    /// §2.2](https://www.rfc-editor.org/rfc/rfc7617#section-2.2)), a Digest token in its challenge's domain.
    func covers(_ target: URL) -> Bool {
        guard let url else { return false }
        switch proof {
        case .connection: return true
        case .digest(let exchange):
            return exchange.state.withLock { $0.challenge.covers(target, challenged: url) }
        case .field: return nearness(to: target) > 0
        }
    }

    /// The length of the challenged URL's folder, if the target lies in or below it; otherwise 0.
    func nearness(to target: URL) -> Int {
        guard let path = url?.standardized.path(percentEncoded: true) else { return 0 }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
        let wanted = target.standardized.path(percentEncoded: true)
        return (wanted.isEmpty ? "/" : wanted).startsWithBytes(of: folder) ? folder.utf8.count : 0
    }
}

/// The proof that requests send, made from a credential.
enum AuthenticationProof: Sendable, Equatable {
    /// The same field in each request: Basic.
    case field(String)
    /// A new field in each request: Digest.
    case digest(DigestExchange)
    /// A handshake on the connection, which the engine carries out: NTLM or Negotiate.
    case connection(ConnectionAuthentication)

    /// The handshake, if the proof is one.
    var connectionLevel: ConnectionAuthentication? {
        if case .connection(let proof) = self { proof } else { nil }
    }
}

extension AuthenticationOffer {
    /// Whether OpenSSL has the hash function that the offer needs.
    var isAvailable: Bool {
        if case .digest(let challenge) = self { challenge.function.isAvailable } else { true }
    }

    /// The constant of ``URLProtectionSpace``; `nil` for a bearer token, since the session asks no delegate
    /// for one.
    var authenticationMethod: String? {
        switch self {
        case .negotiate: NSURLAuthenticationMethodNegotiate
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .bearer: nil
        }
    }

    /// The protection space at a server.
    func protectionSpace(at origin: Origin) -> URLProtectionSpace {
        URLProtectionSpace(
            host: origin.host,
            port: origin.port,
            protocol: origin.scheme,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }

    /// The proof from a credential by this method; `nil` where the credential is of another kind, or
    /// has characters that the method cannot send.
    func proof(by credential: URLCredential) -> AuthenticationProof? {
        guard let user = credential.user else { return nil }
        let password = Secret(credential.password ?? "")
        switch self {
        case .basic:
            return (try? BasicAuthentication.field(user: user, password: password))
                .map(AuthenticationProof.field)
        case .digest(let challenge):
            return .digest(
                DigestExchange(DigestAuthentication(challenge, user: user, password: password))
            )
        case .ntlm:
            return .connection(.init(method: .ntlm, user: user, password: password))
        // GSSAPI ignores user and password, and would use the ticket of another user.
        case .negotiate, .bearer: return nil
        }
    }
}

extension DigestAuthentication {
    /// Begins to authenticate for a challenge, with digests by OpenSSL.
    init(_ challenge: DigestChallenge, user: String, password: Secret) {
        self.init(challenge, user: user, password: password) { MessageDigest.hex($0, by: $1) }
    }
}

/// One user's Digest state in one protection space, shared by the tasks of a session: each request
/// counts the nonce's uses.
final class DigestExchange: Sendable, Equatable {
    let state: Mutex<DigestAuthentication>

    init(_ authentication: DigestAuthentication) {
        state = Mutex(authentication)
    }

    static func == (one: DigestExchange, other: DigestExchange) -> Bool { one === other }
}

/// A session's accepted tokens, except those with the persistence `none`: a server need not refuse first.
final class AuthenticationMemory: Sendable {
    /// For servers, whose spaces are distinguished by path, and for proxies.
    private let tokens = Mutex<[URLProtectionSpace: AuthenticationToken]>([:])

    func note(_ token: AuthenticationToken) {
        guard token.credential?.persistence != URLCredential.Persistence.none else { return }
        var token = token
        token.isRemembered = true
        tokens.withLock { tokens in
            // With the same proof, the session keeps the URL whose folder contains the other's.
            if let known = tokens[token.space], known.proof == token.proof,
                known.url.map({ token.nearness(to: $0) == 0 }) ?? true
            {
                return
            }
            tokens[token.space] = token
        }
    }

    func forget(_ token: AuthenticationToken) {
        tokens.withLock { tokens in
            if tokens[token.space]?.proof == token.proof { tokens[token.space] = nil }
        }
    }

    func forgetAll() {
        tokens.withLock { $0 = [:] }
    }

    /// The token for the first request to a URL.
    func token(for url: URL) -> AuthenticationToken? {
        guard !tokens.withLock({ $0.isEmpty }), let origin = Origin(url) else { return nil }
        return tokens.withLock { tokens in
            tokens.values
                .filter { $0.space.belongs(to: origin) && $0.covers(url) }
                .max { $0.nearness(to: url) < $1.nearness(to: url) }
        }
    }

    /// The token for the first request through a proxy.
    func token(for proxy: ProxyServer) -> AuthenticationToken? {
        tokens.withLock { tokens in
            tokens.values.first { token in
                token.space.isProxy() && token.space.host == proxy.host
                    && token.space.port == proxy.port
            }
        }
    }
}
