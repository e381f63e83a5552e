import FoundationEssentials
import Synchronization

/// The proxy for an origin, by a session's settings.
///
/// `transport.proxy` has precedence, then `connectionProxyDictionary`, then the environment.
struct ProxyRules: Sendable {
    private enum Source: Sendable {
        case none
        case server(ProxyServer, exceptions: ProxyEnvironment)
        case dictionary(ProxyDictionary)
        case environment(ProxyEnvironment)
        /// The reason why the settings are unusable.
        case unusable(String)
    }

    private let source: Source
    /// Replaces the user and password of a proxy's URL.
    private let credential: URLCredential?

    /// Reads the settings, and the environment if the settings do not decide.
    init(
        _ settings: SessionSettings,
        environment: (String) -> String? = Environment.value
    ) {
        let transport = settings.transport
        credential = transport.proxyCredential
        switch transport.proxy {
        // libcurl would send the request to the proxy, and ignore the socket.
        case _ where transport.unixSocketPath != nil: source = .none
        case .none: source = .none
        case .url(let text):
            let exceptions = ProxyEnvironment(noProxy: transport.noProxy, environment: environment)
            source =
                ProxyServer(text).map { .server($0, exceptions: exceptions) }
                ?? .unusable("transport.proxy is not a proxy URL")
        case .automatic:
            guard let dictionary = settings.proxyDictionary else {
                source = .environment(
                    ProxyEnvironment(noProxy: transport.noProxy, environment: environment)
                )
                return
            }
            do throws(ProxyDictionaryError) {
                source = .dictionary(try ProxyDictionary(dictionary, noProxy: transport.noProxy))
            } catch {
                source = .unusable("connectionProxyDictionary: \(error)")
            }
        }
    }

    /// Whether no origin has a proxy.
    var areNone: Bool {
        switch source {
        case .none: true
        case .environment(let environment): environment.isEmpty
        case .server, .dictionary, .unusable: false
        }
    }

    /// The proxy for an origin; throws `badURL` for invalid settings: a direct connection would expose the
    /// request.
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
                throw URLError(.badURL, detail: "the variable \(variable) is not a proxy URL")
            }
        case .unusable(let reason): throw URLError(.badURL, detail: reason)
        }
    }
}

/// A session's proxies, from its settings and the environment, read once before the first request.
final class SessionProxies: Sendable {
    private let settings: SessionSettings
    private let rules = Mutex<ProxyRules?>(nil)

    init(_ settings: SessionSettings) {
        self.settings = settings
    }

    /// The proxy for a request; `nil`: none.
    func server(for request: URLRequest) throws(URLError) -> ProxyServer? {
        let rules = rules.withLock { rules in
            let read = rules ?? ProxyRules(settings)
            rules = read
            return read
        }
        guard !rules.areNone, let origin = request.url.flatMap({ Origin($0) }) else { return nil }
        return try rules.server(for: origin)
    }
}

/// The proxies of the environment, as curl reads it.
package struct ProxyEnvironment: Sendable {
    /// How an origin is reached.
    package enum Choice: Sendable, Hashable {
        /// Without a proxy.
        case direct
        case proxy(ProxyServer)
        /// The variable's value is not a proxy URL.
        case malformed(variable: String)
    }

    private let variables: [String: String]
    private let exceptions: NoProxyList

    /// Reads the variables.
    ///
    /// - Parameters:
    ///   - noProxy: replaces `no_proxy`; `nil`: the environment's value.
    ///   - environment: returns the value of an environment variable.
    package init(
        noProxy: String? = nil,
        environment: (String) -> String? = Environment.value
    ) {
        var variables: [String: String] = [:]
        for name in Self.names.values.joined() {
            // An empty variable counts as missing.
            if let value = environment(name), !value.isEmpty { variables[name] = value }
        }
        self.variables = variables
        exceptions = NoProxyList(
            noProxy ?? environment("no_proxy")?.nonEmpty ?? environment("NO_PROXY") ?? ""
        )
    }

    /// The variables for each scheme; the first variable with a value counts.
    ///
    /// `HTTP_PROXY` is excluded: a CGI server sets it to the value of a request's `Proxy` field.
    private static let names = [
        "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
        "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
    ]

    /// Whether the environment names no proxy.
    var isEmpty: Bool { variables.isEmpty }

    /// Whether a session reaches an origin without a proxy.
    func exempts(_ origin: Origin) -> Bool {
        exceptions.contains(host: origin.host, port: origin.port)
    }

    /// How an origin is reached.
    package func choice(for origin: Origin) -> Choice {
        let names = Self.names[origin.scheme] ?? []
        guard let name = names.first(where: { variables[$0] != nil }), let text = variables[name],
            !exempts(origin)
        else { return .direct }
        return ProxyServer(text).map(Choice.proxy) ?? .malformed(variable: name)
    }
}
