import Dispatch
import FoundationEssentials
import Synchronization

// TLS: server trust and client certificates.
extension URLSessionTask {
    /// Whether there is a delegate for questions about connections.
    func asksAboutConnections(_ locked: borrowing Locked) -> Bool {
        if session.delegate != nil { return true }
        return effectiveDelegate(locked) != nil
    }

    /// The client certificate that the next hop presents.
    func identity(_ request: URLRequest, _ locked: borrowing Locked) -> HopIdentity {
        guard asksAboutConnections(locked), let origin = request.url.flatMap(Origin.init) else {
            return .none
        }
        return locked.identities[origin] ?? sessionIdentity(origin) ?? .undecided
    }

    private func sessionIdentity(_ origin: Origin) -> HopIdentity? {
        session.connectionDecisions.withLock { $0.identities[origin] }
    }

    /// The decision about a server's trust; `nil`: the task asks the delegate, which decides later.
    func trustDisposition(
        _ trust: ServerTrust,
        _ id: HopID,
        _ locked: inout Locked
    ) -> TrustDecision? {
        guard case .requesting(id) = locked.lifecycle.state else { return .refuse }
        if let earlier = locked.trustDecision, earlier.trust == trust { return earlier.disposition }
        guard let origin = locked.lifecycle.origin else { return .byVerdict }
        let method = NSURLAuthenticationMethodServerTrust
        ask(challenge(method, origin, trust: trust), locked) { [self] disposition, credential in
            apply { locked in
                guard case .requesting(id) = locked.lifecycle.state else { return [] }
                let decision: TrustDecision
                switch disposition {
                case .useCredential where credential?.trust == trust: decision = .accept
                case .useCredential, .performDefaultHandling: decision = .byVerdict
                case .rejectProtectionSpace: decision = .refuse
                case .cancelAuthenticationChallenge:
                    let words = "the server trust challenge was cancelled"
                    let error = URLError(.cancelled, detail: words)
                    return locked.lifecycle.leave(id, error, wasAsked: false)
                }
                locked.trustDecision = (trust, decision)
                session.connectionDecisions.withLock { decisions in
                    decisions.trust[origin] = (trust, decision)
                    guard decision == .accept, !trust.isTrusted else { return }
                    decisions.acceptedDespiteVerdict.insert(origin)
                }
                locked.hop?.decide(decision, about: trust)
                return []
            }
        }
        return nil
    }

    /// Asks the delegate for a client certificate of these issuers, each a DER name; empty: any.
    func askIdentity(_ issuers: [Data], _ locked: borrowing Locked) {
        guard let origin = locked.lifecycle.origin else { return }
        // The session may have got a disposition for another task meanwhile.
        if sessionIdentity(origin) != nil {
            return session.queue.async { [self] in apply { $0.lifecycle.resolveIdentity() } }
        }
        let method = NSURLAuthenticationMethodClientCertificate
        ask(challenge(method, origin, issuers: issuers), locked) { [self] disposition, credential in
            apply { locked in
                guard case .choosingCertificate = locked.lifecycle.state else { return [] }
                if case .cancelAuthenticationChallenge = disposition {
                    return locked.lifecycle.cancelIdentity()
                }
                var identity = HopIdentity.none
                if case .useCredential = disposition,
                    case .identity(let certificate, let password)? = credential?.kind
                {
                    identity = .certificate(certificate, keyPassword: password)
                }
                locked.identities[origin] = identity
                if credential?.persistence != URLCredential.Persistence.none {
                    session.connectionDecisions.withLock { $0.identities[origin] = identity }
                }
                return locked.lifecycle.resolveIdentity()
            }
        }
    }

    /// Forgets the session's certificate for a server that refused it, so that the next task asks again.
    func forgetIdentity(after end: HopEnd, _ locked: borrowing Locked) {
        let code = end.error?.code
        guard code == .clientCertificateRejected || code == .clientCertificateRequired,
            end.wantedIssuers == nil, let origin = locked.lifecycle.origin
        else { return }
        session.connectionDecisions.withLock { $0.identities[origin] = nil }
    }

    /// A challenge about the connection to an origin.
    private func challenge(
        _ method: String,
        _ origin: Origin,
        issuers: [Data] = [],
        trust: ServerTrust? = nil
    ) -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: origin.host,
            port: origin.port,
            protocol: NSURLProtectionSpaceHTTPS,
            proxyType: nil,
            realm: nil,
            authenticationMethod: method,
            distinguishedNames: issuers.isEmpty ? nil : issuers,
            serverTrust: trust
        )
        return URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil
        )
    }
}

extension TaskLifecycle {
    var origin: Origin? { currentRequest.url.flatMap(Origin.init) }
}
