import FoundationEssentials

/// The authentication state of a task, for its server and its proxy.
struct TaskAuthentication: Sendable {
    private var server = AuthenticationSide()
    private var proxy = AuthenticationSide()
    private var proxyServer: ProxyServer?
    private let memory: AuthenticationMemory
    /// The URL of the task's first request; its origin is computed only if a credential exists.
    private let firstURL: URL?
    private var firstOrigin: Origin? { firstURL.flatMap { Origin($0) } }
    /// Whether the task asks a proxy for a tunnel for plain HTTP too.
    private let tunnelsAlways: Bool

    /// Begins without a credential; without `firstURL`, every URL counts as of its origin.
    init(memory: AuthenticationMemory, firstURL: URL? = nil, tunnelsAlways: Bool = false) {
        self.memory = memory
        self.tunnelsAlways = tunnelsAlways
        self.firstURL = firstURL
    }

    /// Whether the task may send a credential to a URL without a question: not over plain HTTP after a
    /// redirect to another origin.
    ///
    /// The task may always send a credential that the delegate returns for a challenge.
    func maySendCredentials(to url: URL) -> Bool {
        guard let firstOrigin, let origin = Origin(url) else { return true }
        return origin.scheme == "https" || origin == firstOrigin
    }

    /// Whether a stored credential may be proposed: the rule of ``maySendCredentials(to:)`` for a server, and
    /// always for a proxy, because no redirect chooses a proxy.
    func maySendCredentials(in space: URLProtectionSpace) -> Bool {
        guard let firstOrigin, !space.isProxy() else { return true }
        return space.protocol == NSURLProtectionSpaceHTTPS || space.belongs(to: firstOrigin)
    }

    /// Drops the server's state after a redirect.
    mutating func redirected() {
        server = AuthenticationSide()
    }

    /// Handles the authentication part of a response, which may be a proxy's to CONNECT.
    mutating func received(
        _ response: HTTPURLResponse,
        to url: URL?,
        isTunnelRefusal: Bool = false
    ) -> (step: AuthenticationSide.Step, accepted: [AuthenticationToken]) {
        var accepted: [AuthenticationToken] = []
        let fields = response.headerFields
        let isGood = Self.isGood(response.statusCode)
        if isGood || response.statusCode == 401,
            let token = proxy.accepted(Self.info(fields, "Proxy-Authentication-Info"))
        {
            accepted.append(token)
        }
        // A proxy's own response says nothing about the server's credential.
        if isGood, let token = server.accepted(Self.info(fields, "Authentication-Info")) {
            accepted.append(token)
        }
        for token in accepted { memory.note(token) }
        let isProxy = response.statusCode == 407
        // A 407 through a tunnel is the server's, which must not receive the proxy's credential.
        if isProxy, !isTunnelRefusal, tunnelsAlways || url?.scheme?.lowercased() == "https" {
            return (.deliver, accepted)
        }
        guard isProxy || response.statusCode == 401, let place = place(isProxy, url) else {
            return (.deliver, accepted)
        }
        let offers = AuthenticationOffer.offers(in: fields, isProxy: isProxy).filter(\.isAvailable)
        let mayUseTicket =
            isProxy
            ? proxyServer?.user == nil
            : url.map { $0.user() == nil && maySendCredentials(to: $0) } ?? false
        let (step, refused) = self[isProxy: isProxy]
            .challenged(offers, response, mayUseTicket: mayUseTicket, space: place)
        if let refused { memory.forget(refused) }
        return (step, accepted)
    }

    /// Whether a server sends this status only after it accepted the credential; many send others before.
    private static func isGood(_ status: Int) -> Bool {
        status < 400 || [404, 405, 409, 410, 412, 416].contains(status)
    }

    /// Applies the decision about a question; `deliver`: the response with the challenge is the result.
    mutating func resolve(
        _ question: AuthenticationQuestion,
        _ disposition: AuthenticationDisposition
    ) -> AuthenticationSide.Step {
        let isProxy = question.space.isProxy()
        switch disposition {
        case .deliver, .cancel: return .deliver
        case .use(let credential):
            if self[isProxy: isProxy].use(credential, for: question) { return .again }
        case .useTicket:
            if self[isProxy: isProxy].use(nil, for: question) { return .again }
        case .reject: break
        }
        guard let place = place(isProxy, question.response.url) else { return .deliver }
        return self[isProxy: isProxy].reject(question, space: place)
    }

    private subscript(isProxy isProxy: Bool) -> AuthenticationSide {
        get { isProxy ? proxy : server }
        set { if isProxy { proxy = newValue } else { server = newValue } }
    }

    private func place(
        _ isProxy: Bool,
        _ url: URL?
    ) -> ((AuthenticationOffer) -> URLProtectionSpace)? {
        if isProxy {
            guard let proxyServer, proxyServer.scheme.isHTTP else { return nil }
            return { offer in
                proxyServer.protectionSpace(
                    realm: offer.realm,
                    authenticationMethod: offer.authenticationMethod
                )
            }
        }
        guard let origin = url.flatMap({ Origin($0) }) else { return nil }
        return { $0.protectionSpace(at: origin) }
    }

    private static func info(_ fields: HTTPHeaderFields, _ name: String) -> HTTPChallenge? {
        fields.first(name).map(HTTPChallenge.parameters)
    }
}

// Authenticating requests.
extension TaskAuthentication {
    struct Proofs: Sendable {
        var fields: [HTTPHeaderFields.Field] = []
        var server: AuthenticationProof?
        var proxy: AuthenticationProof?
    }

    /// Adds proofs to the next hop; the request's own credential has precedence over a remembered one.
    mutating func addProofs(
        _ request: PreparedRequest,
        _ url: URL,
        hasBody: Bool,
        body: DigestBody,
        through proxyServer: ProxyServer?
    ) -> Proofs {
        if proxyServer != self.proxyServer { proxy = AuthenticationSide() }
        self.proxyServer = proxyServer
        server.show(request.has("Authorization") ? nil : remembered(url, hasBody: hasBody))
        proxy.show(
            request.has("Proxy-Authorization") ? nil : proxyServer.flatMap { memory.token(for: $0) }
        )
        var proofs = Proofs()
        guard server.token != nil || proxy.token != nil else { return proofs }
        let path = HTTPTarget(request.url)
        proofs.add(
            server.headerField(
                method: request.method,
                target: request.ownTarget ?? path.originForm,
                body: body
            ),
            as: "Authorization"
        )
        proofs.server = server.token?.proof
        let isTunnel = request.isSecure || tunnelsAlways
        proofs.add(
            proxy.headerField(
                method: isTunnel ? "CONNECT" : request.method,
                target: isTunnel ? path.authorityForm : request.ownTarget ?? request.url,
                body: isTunnel ? .none : body
            ),
            as: "Proxy-Authorization"
        )
        proofs.proxy = proxy.token?.proof
        return proofs
    }

    /// The remembered token for the first request to a URL.
    private func remembered(_ url: URL, hasBody: Bool) -> AuthenticationToken? {
        guard let token = memory.token(for: url), maySendCredentials(to: url) else { return nil }
        // A user in the URL excludes the token of another user.
        if let user = url.user(percentEncoded: false),
            token.credential?.user?.hasBytes(of: user) != true
        {
            return nil
        }
        // A handshake begins with a request without its body. A server that sends no challenge would
        // accept that request as complete.
        return hasBody && token.proof.connectionLevel != nil ? nil : token
    }
}

extension TaskAuthentication.Proofs {
    fileprivate mutating func add(_ value: String?, as name: String) {
        if let value { fields.append(HTTPHeaderFields.Field(name: name, value: value)) }
    }
}
