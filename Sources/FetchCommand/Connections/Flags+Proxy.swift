import URLLoading

extension Flags {
    static let proxy: [Flag] = [
        Flag(
            ["--proxy", "-x"],
            value: "URL",
            kind: .beginning(ProxyServer.Scheme.allCases.map { "\($0.rawValue)://" }),
            secret: .userInfo,
            help: "use the proxy URL: http, https, socks4, socks4a, socks5 or socks5h",
            details: """
                The default scheme is http, and the default port 1080, or 443 for https. A user \
                and password in the URL are for the proxy alone: an HTTP proxy receives them \
                when it asks, a SOCKS proxy at once. With socks4a and socks5h, the proxy looks \
                names up. With https, the proxy's certificate is always verified, whatever \
                --no-check-certificate says. Hosts in no_proxy are still reached directly. An \
                empty URL is the same as --no-proxy.
                """
        ) { options, value in
            // In wget the flag is a switch, whose values are these words.
            guard value.text != "on" else { return }
            let text = value.text == "off" ? "" : value.text
            options.transport.proxy = try value.with(text).proxy()
        },
        Flag(
            ["--proxy-user", "--proxy-username"],
            value: "NAME[:PASSWORD]",
            background: .keepsNoPassword,
            reads: .init { [$0.proxyUser?.path] },
            secret: .userPassword,
            help: "log in at the proxy as NAME, when it asks; also @FILE, env:NAME or fd:N",
            details: """
                NAME takes precedence over the user and password in the proxy's URL, and also \
                applies to proxies from the environment. To hide the password from other users, \
                @FILE takes the first line of FILE (@- of standard input), env:NAME takes the \
                environment variable NAME, and fd:N takes the next line of descriptor N.
                """
        ) { $0.proxyUser = try SecretSource($1) },
        Flag(
            ["--proxytunnel"],
            help: "use a tunnel through an HTTP proxy (CONNECT) for http URLs too",
            details: """
                For https URLs, a tunnel is always used. In a tunnel the proxy sees only host \
                and port, and many proxies allow that only for port 443. -p means the same \
                together with --proxy, as in curl.
                """
        ) { $0.transport.tunnelsThroughProxy = true },
        Flag(
            ["--noproxy"],
            value: "LIST",
            help: "connect to these hosts directly: names and addresses with commas, or *",
            details: """
                LIST is names and addresses separated by commas, or *. A name matches that \
                host and all hosts below it, with or without a leading dot. Addresses may be \
                networks, such as 10.0.0.0/8 or fe80::/10. A port after a name or an address, as \
                in [::1]:8080, limits the entry to that port. localhost includes the loopback \
                addresses. LIST replaces no_proxy.
                """
        ) { options, value in
            let list = value.text.split { $0 == "," || $0 == " " }.map(String.init)
            // An empty list also replaces the environment's list.
            options.transport.noProxy = list.joined(separator: ",")
        },
        Flag(
            ["--no-proxy"],
            help: "use no proxy, and ignore those in the environment"
        ) { $0.transport.proxy = .none },
    ]
}

extension FlagValue {
    /// Parses a proxy's URL; an empty text means no proxy.
    fileprivate func proxy() throws(UsageError) -> URLSessionConfiguration.Proxy {
        guard !text.isEmpty else { return .none }
        if ProxyServer(text) != nil { return .url(text) }
        let schemes = ProxyServer.Scheme.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidURL(
            Redaction.url(text),
            reason: "\(flag): is not a proxy URL",
            hint: "[SCHEME://][USER[:PASSWORD]@]HOST[:PORT], the scheme one of \(schemes)"
        )
    }
}
