import Glibc

/// What the environment says about proxies, as curl reads it.
package struct ProxyEnvironment: Sendable {
    /// What stands between us and a URL.
    package enum Choice: Sendable, Hashable {
        /// Nothing.
        case direct
        case proxy(ProxyServer)
        /// The variable has something in it that is no proxy's URL.
        case malformed(variable: String)
    }

    private let variables: [String: String]
    private let exceptions: NoProxyList

    /// Reads the variables, once.
    ///
    /// - Parameters:
    ///   - noProxy: replaces `no_proxy`; `nil`: the environment's.
    ///   - environment: the value of an environment variable.
    package init(
        noProxy: String? = nil,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        var variables: [String: String] = [:]
        for name in Self.names.values.joined() {
            // An empty one is as good as none.
            if let value = environment(name), !value.isEmpty { variables[name] = value }
        }
        self.variables = variables
        func value(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        exceptions = NoProxyList(noProxy ?? value("no_proxy") ?? value("NO_PROXY") ?? "")
    }

    /// The variables for each scheme, the first that is set counts.
    ///
    /// `HTTP_PROXY` is not among them: a CGI server sets it to whatever a request's `Proxy` field
    /// says.
    private static let names = [
        "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
        "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
    ]

    /// Whether it names no proxy at all.
    var isEmpty: Bool { variables.isEmpty }

    /// Whether an origin is on the list of those that are reached without a proxy.
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
