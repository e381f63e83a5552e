import FoundationEssentials

/// What a task has proved itself with to its server, and to its proxy.
struct TaskAuthentication: Sendable {
    private var server: AuthenticationSide
    private var proxy: AuthenticationSide
    /// The proxy of the current hop.
    private var proxyServer: ProxyServer?
    private let memory: AuthenticationMemory
    /// The URL that the task was made for; its origin is asked for only where there is a credential.
    private let homeURL: URL?
    private var home: Origin? { homeURL.flatMap { Origin($0) } }
    /// Whether a proxy is asked for a tunnel for plain HTTP too.
    private let tunnelsAlways: Bool

    /// - Parameters:
    ///   - memory: what the tasks of the session have in common.
    ///   - url: what the task was made for; `nil`: every URL is as good as that.
    ///   - tunnelsAlways: whether a proxy is asked for a tunnel for plain HTTP too.
    init(memory: AuthenticationMemory, home url: URL? = nil, tunnelsAlways: Bool = false) {
        self.memory = memory
        self.tunnelsAlways = tunnelsAlways
        homeURL = url
        server = AuthenticationSide()
        proxy = AuthenticationSide()
    }

    /// Whether a server may get the user's ticket unasked: after a redirect to another origin
    /// not over plain HTTP.
    ///
    /// A credential that the user is asked for there, and gives, may be sent.
    func maySpeak(to url: URL) -> Bool {
        guard let home, let origin = Origin(url) else { return true }
        return origin.scheme == "https" || origin == home
    }

    /// Whether a stored credential is proposed without the user's having been asked: the rule of
    /// ``maySpeak(to:)`` for a server, and always for a proxy, which no redirect has chosen.
    func maySpeak(in space: URLProtectionSpace) -> Bool {
        guard let home, !space.isProxy() else { return true }
        return space.protocol == NSURLProtectionSpaceHTTPS || space.belongs(to: home)
    }

    /// Forgets the server: the next request goes to another, or to another part of it.
    mutating func redirected() {
        server.leave()
    }

    /// Takes what a response says about the credentials.
    ///
    /// - Parameters:
    ///   - response: the response of the server, or of the proxy.
    ///   - url: what was asked for.
    ///   - isTunnelRefusal: whether it is a proxy's response to CONNECT.
    /// - Returns: what is to be done, and the token that turned out to be good.
    mutating func received(
        _ response: HTTPURLResponse,
        to url: URL?,
        isTunnelRefusal: Bool = false
    ) -> (step: AuthenticationSide.Step, accepted: [AuthenticationToken]) {
        var accepted: [AuthenticationToken] = []
        let fields = response.headerFields
        let isGood = Self.isGood(response.statusCode)
        if isGood || response.statusCode == 401 {
            accepted +=
                proxy.accepted(Self.info(fields, "Proxy-Authentication-Info")).map { [$0] } ?? []
        }
        // A proxy's own response says nothing about the server.
        if isGood {
            accepted += server.accepted(Self.info(fields, "Authentication-Info")).map { [$0] } ?? []
        }
        for token in accepted { memory.note(token) }
        let isProxy = response.statusCode == 407
        // Through a tunnel it is the server's word, and the proxy's credential none of its business.
        if isProxy, !isTunnelRefusal, tunnelsAlways || url?.scheme?.lowercased() == "https" {
            return (.deliver, accepted)
        }
        guard isProxy || response.statusCode == 401, let place = place(isProxy, url) else {
            return (.deliver, accepted)
        }
        let offers = AuthenticationOffer.offers(in: fields, isProxy: isProxy).filter(\.isAvailable)
        let (step, refused) =
            isProxy
            ? proxy.challenged(
                offers,
                response,
                mayUseTicket: proxyServer?.user == nil,
                space: place
            )
            : server.challenged(
                offers,
                response,
                mayUseTicket: url.map { $0.user() == nil && maySpeak(to: $0) } ?? false,
                space: place
            )
        if let refused { memory.forget(refused) }
        return (step, accepted)
    }

    /// Whether a server sends this status only after it has accepted the credential: many a 4xx or 5xx
    /// comes before it was looked at.
    private static func isGood(_ status: Int) -> Bool {
        status < 400 || [404, 405, 409, 410, 412, 416].contains(status)
    }

    /// Takes the delegate's disposition of a question.
    ///
    /// - Returns: the step; `deliver` where the response that asked is the result.
    mutating func resolve(
        _ question: AuthenticationQuestion,
        _ disposition: AuthenticationDisposition
    ) -> AuthenticationSide.Step {
        let isProxy = question.space.isProxy()
        switch disposition {
        case .deliver, .cancel: return .deliver
        case .use(let credential):
            let isUsed =
                isProxy
                ? proxy.use(credential, for: question) : server.use(credential, for: question)
            if isUsed { return .again }
        case .useTicket:
            if isProxy { proxy.useTicket(for: question) } else { server.useTicket(for: question) }
            return .again
        case .reject: break
        }
        guard let place = place(isProxy, question.response.url) else { return .deliver }
        return isProxy
            ? proxy.reject(question, space: place) : server.reject(question, space: place)
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

// What goes out.
extension TaskAuthentication {
    /// What a hop is authenticated with.
    struct Proofs: Sendable {
        var fields: [HTTPHeaderFields.Field] = []
        var server: AuthenticationProof?
        var proxy: AuthenticationProof?
    }

    /// What the next hop says for itself.
    ///
    /// - Parameters:
    ///   - request: the request; a credential of its own is not replaced by what is remembered.
    ///   - url: its URL.
    ///   - hasBody: whether it has one.
    ///   - body: the body, should a digest be about it.
    ///   - proxyServer: the proxy in its way.
    /// - Returns: fields, and what the engine has to know.
    mutating func prove(
        _ request: PreparedRequest,
        _ url: URL,
        hasBody: Bool,
        body: DigestBody,
        through proxyServer: ProxyServer?
    ) -> Proofs {
        if proxyServer != self.proxyServer { proxy.leave() }
        self.proxyServer = proxyServer
        server.show(request.has("Authorization") ? nil : remembered(url, hasBody: hasBody))
        proxy.show(
            request.has("Proxy-Authorization") ? nil : proxyServer.flatMap { memory.token(for: $0) }
        )
        var proofs = Proofs()
        guard server.token != nil || proxy.token != nil else { return proofs }
        let path = HTTPTarget(request.url)
        proofs.add(
            server.prove(
                method: request.method,
                target: request.ownTarget ?? path.originForm,
                body: body
            ),
            as: "Authorization"
        )
        proofs.server = server.token?.proof
        let isTunnel = request.isSecure || tunnelsAlways
        proofs.add(
            proxy.prove(
                method: isTunnel ? "CONNECT" : request.method,
                target: isTunnel ? path.authorityForm : request.ownTarget ?? request.url,
                body: isTunnel ? .none : body
            ),
            as: "Proxy-Authorization"
        )
        proofs.proxy = proxy.token?.proof
        return proofs
    }

    /// What a request may begin with.
    private func remembered(_ url: URL, hasBody: Bool) -> AuthenticationToken? {
        guard let token = memory.token(for: url), maySpeak(to: url) else { return nil }
        // The user that the URL names is the one that is meant.
        if let user = url.user(percentEncoded: false), token.credential?.user != user { return nil }
        // A handshake begins with a request without its body, which a server that does not ask takes
        // for the whole.
        return hasBody && token.proof.connectionLevel != nil ? nil : token
    }
}

extension TaskAuthentication.Proofs {
    fileprivate mutating func add(_ value: String?, as name: String) {
        if let value { fields.append(HTTPHeaderFields.Field(name: name, value: value)) }
    }
}
