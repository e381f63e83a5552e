import FoundationEssentials
import Synchronization

/// What a task is let in with, and where that counts.
struct AuthenticationToken: Sendable {
    let space: URLProtectionSpace
    let proof: AuthenticationProof
    /// What it was made from; `nil` where no credential was asked for.
    let credential: URLCredential?
    /// The URL that asked.
    let url: URL?
    /// Whether another request was let in with it.
    var isRemembered = false

    /// Whether it is known to count for a URL of the same origin.
    ///
    /// Basic's is what lies beside and below the URL that asked
    /// ([RFC 7617 §2.2](https://www.rfc-editor.org/rfc/rfc7617#section-2.2)), Digest's what its
    /// challenge says.
    func covers(_ target: URL) -> Bool {
        guard let url else { return false }
        switch proof {
        case .connection: return true
        case .digest(let exchange): return exchange.covers(target, challenged: url)
        case .field: return nearness(to: target) > 0
        }
    }

    /// How much of its path the folder of the URL that asked has in common with another URL, which
    /// lies in or below it; 0 where it does not.
    func nearness(to target: URL) -> Int {
        guard let path = url?.standardized.path(percentEncoded: true) else { return 0 }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
        let wanted = target.standardized.path(percentEncoded: true)
        return (wanted.isEmpty ? "/" : wanted).startsWithBytes(of: folder) ? folder.utf8.count : 0
    }
}

/// What requests prove themselves with, made from a credential.
enum AuthenticationProof: Sendable {
    /// The same field with each request: Basic.
    case field(String)
    /// A field for each request: Digest.
    case digest(DigestExchange)
    /// A handshake on the connection, which the engine carries out.
    case connection(ConnectionProof)

    /// The handshake, where it is one.
    var connectionLevel: ConnectionProof? {
        if case .connection(let proof) = self { proof } else { nil }
    }
}

/// A handshake that proves a connection.
struct ConnectionProof: Sendable, Hashable {
    enum Method: Sendable, Hashable {
        case ntlm
        case negotiate
    }

    let method: Method
    /// `nil`: with the ticket at hand.
    let user: String?
    let password: Secret?
}

extension AuthenticationOffer {
    /// What a credential comes to by this method; `nil` where it is of another kind, or has what
    /// the method cannot say.
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
            return .connection(ConnectionProof(method: .ntlm, user: user, password: password))
        // GSSAPI takes the ticket at hand, and looks at neither; whose it is would be a surprise.
        case .negotiate, .bearer: return nil
        }
    }
}

/// One user's Digest in one protection space, which the tasks of a session share: each request
/// counts the nonce on.
final class DigestExchange: Sendable {
    private let state: Mutex<DigestAuthentication>

    init(_ authentication: DigestAuthentication) {
        state = Mutex(authentication)
    }

    /// What a request says.
    ///
    /// Throws where the user, the password or the body cannot be put into one.
    func credentials(
        method: String,
        target: String,
        body: DigestBody
    ) throws(CredentialError) -> DigestCredentials {
        try state.withLock { state throws(CredentialError) in
            try state.credentials(method: method, target: target, body: body)
        }
    }

    /// The server was content; it may have named its next nonce.
    func succeeded(with info: HTTPChallenge?) {
        state.withLock { $0.succeeded(with: info) }
    }

    /// Whether a challenge says no more than that a nonce was old, and there is a newer one: this
    /// challenge's, or the one that another task was given meanwhile.
    func renew(_ nonce: String, by fresh: DigestChallenge) -> Bool {
        state.withLock { $0.renew(nonce, by: fresh) }
    }

    /// Whether a URL is one that the challenge of another was about.
    func covers(_ url: URL, challenged: URL) -> Bool {
        state.withLock { $0.challenge.covers(url, challenged: challenged) }
    }
}

/// What the requests of a session were let in with, so that the next one need not be refused first.
///
/// Of a credential that is for one request nothing is remembered.
final class AuthenticationMemory: Sendable {
    /// For servers, whose spaces are distinguished by path, and for proxies, which have one.
    private let tokens = Mutex<[URLProtectionSpace: AuthenticationToken]>([:])

    /// A request was let in with it.
    func note(_ token: AuthenticationToken) {
        guard token.credential?.persistence != URLCredential.Persistence.none else { return }
        var token = token
        token.isRemembered = true
        tokens.withLock { tokens in
            // The widest of the URLs that one space was met at.
            if let known = tokens[token.space], known.proof.isSame(as: token.proof) { return }
            tokens[token.space] = token
        }
    }

    /// It was refused, where it was not before.
    func forget(_ token: AuthenticationToken) {
        tokens.withLock { tokens in
            guard let known = tokens[token.space], known.proof.isSame(as: token.proof) else {
                return
            }
            tokens[token.space] = nil
        }
    }

    /// Nothing was.
    func forgetAll() {
        tokens.withLock { $0 = [:] }
    }

    /// What a request to a server may begin with.
    func token(for url: URL) -> AuthenticationToken? {
        guard !tokens.withLock({ $0.isEmpty }), let origin = Origin(url) else { return nil }
        return tokens.withLock { tokens in
            tokens.values
                .filter { token in
                    !token.space.isProxy() && token.space.host == origin.host.unbracketed
                        && token.space.port == origin.port && token.space.protocol == origin.scheme
                        && token.covers(url)
                }
                .max { $0.nearness(to: url) < $1.nearness(to: url) }
        }
    }

    /// What a request through a proxy may begin with.
    func token(for proxy: ProxyServer) -> AuthenticationToken? {
        tokens.withLock { tokens in
            tokens.values.first { token in
                token.space.isProxy() && token.space.host == proxy.host
                    && token.space.port == proxy.port
            }
        }
    }
}

extension AuthenticationProof {
    /// Whether both say the same.
    fileprivate func isSame(as other: AuthenticationProof) -> Bool {
        switch (self, other) {
        case (.field(let one), .field(let other)): one == other
        case (.digest(let one), .digest(let other)): one === other
        case (.connection(let one), .connection(let other)): one == other
        default: false
        }
    }
}
