import FoundationEssentials
import Synchronization

/// What the requests of a session were let in with, so that the next one need not be refused first.
///
/// Of a credential that is for one request nothing is remembered.
final class AuthenticationMemory: Sendable {
    /// For servers, whose spaces are told apart by path, and for proxies, which have one.
    private let passes = Mutex<[URLProtectionSpace: AuthenticationPass]>([:])

    /// A request was let in with it.
    func note(_ pass: AuthenticationPass) {
        guard pass.credential?.persistence != URLCredential.Persistence.none else { return }
        var pass = pass
        pass.isRemembered = true
        passes.withLock { passes in
            // The widest of the URLs that one space was met at.
            if let known = passes[pass.space], known.proof.isSame(as: pass.proof) { return }
            passes[pass.space] = pass
        }
    }

    /// It was refused, where it was not before.
    func forget(_ pass: AuthenticationPass) {
        passes.withLock { passes in
            guard let known = passes[pass.space], known.proof.isSame(as: pass.proof) else { return }
            passes[pass.space] = nil
        }
    }

    /// Nothing was.
    func forgetAll() {
        passes.withLock { $0 = [:] }
    }

    /// What a request to a server may begin with.
    func pass(for url: URL) -> AuthenticationPass? {
        guard !passes.withLock({ $0.isEmpty }), let origin = Origin(url) else { return nil }
        return passes.withLock { passes in
            passes.values
                .filter { pass in
                    !pass.space.isProxy() && pass.space.host == origin.host.unbracketed
                        && pass.space.port == origin.port && pass.space.protocol == origin.scheme
                        && pass.covers(url)
                }
                .max { $0.nearness(to: url) < $1.nearness(to: url) }
        }
    }

    /// What a request through a proxy may begin with.
    func pass(for proxy: ProxyServer) -> AuthenticationPass? {
        passes.withLock { passes in
            passes.values.first { pass in
                pass.space.isProxy() && pass.space.host == proxy.host
                    && pass.space.port == proxy.port
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
