import Glibc

/// Which proxy stands in the way to an origin, by a session's settings.
///
/// What `transport.proxy` names goes first, then `connectionProxyDictionary`, then the environment.
struct ProxyRules: Sendable {
    private enum Source: Sendable {
        case none
        case server(ProxyServer, exceptions: ProxyEnvironment)
        case dictionary(ProxyDictionary)
        case environment(ProxyEnvironment)
        /// Why nothing can be loaded.
        case unusable(String)
    }

    private let source: Source
    /// Replaces the user and password that stand in a URL.
    private let credential: URLCredential?

    /// Reads settings, and of the environment what they leave to it.
    init(
        _ settings: SessionSettings,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        let transport = settings.transport
        credential = transport.proxyCredential
        switch transport.proxy {
        // libcurl would ask the proxy for the host, and not look at the socket.
        case _ where transport.unixSocketPath != nil: source = .none
        case .none: source = .none
        case .url(let text):
            let exceptions = ProxyEnvironment(noProxy: transport.noProxy, environment: environment)
            source =
                ProxyServer(text).map { .server($0, exceptions: exceptions) }
                ?? .unusable("transport.proxy holds no proxy's URL")
        case .automatic:
            guard let dictionary = settings.proxyDictionary else {
                source = .environment(
                    ProxyEnvironment(noProxy: transport.noProxy, environment: environment)
                )
                return
            }
            do throws(ProxyDictionaryFlaw) {
                source = .dictionary(
                    try ProxyDictionary(dictionary, noProxy: transport.noProxy)
                )
            } catch {
                source = .unusable("connectionProxyDictionary: \(error)")
            }
        }
    }

    /// Whether there is no proxy to anywhere.
    var areNone: Bool {
        switch source {
        case .none: true
        case .environment(let environment): environment.isEmpty
        case .server, .dictionary, .unusable: false
        }
    }

    /// The proxy in the way to an origin; `nil`: none.
    ///
    /// Throws `badURL` where what was said of proxies cannot be understood: going directly would
    /// show to the network what was meant for the proxy.
    func server(for origin: Origin) throws(URLError) -> ProxyServer? {
        let server = try place(for: origin)
        guard let server, let credential, let user = credential.user else { return server }
        return server.authenticated(user: user, password: credential.password.map(Secret.init))
    }

    private func place(for origin: Origin) throws(URLError) -> ProxyServer? {
        switch source {
        case .none: return nil
        case .server(let server, let exceptions):
            return exceptions.exempts(origin) ? nil : server
        case .dictionary(let dictionary): return dictionary.server(for: origin)
        case .environment(let environment):
            switch environment.choice(for: origin) {
            case .direct: return nil
            case .proxy(let server): return server
            case .malformed(let variable):
                throw URLError(.badURL, detail: "the variable \(variable) holds no proxy's URL")
            }
        case .unusable(let reason): throw URLError(.badURL, detail: reason)
        }
    }
}
