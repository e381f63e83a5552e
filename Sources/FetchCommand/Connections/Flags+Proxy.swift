import URLLoading

extension Flags {
    /// Proxies.
    static let proxy: [Flag] = [
        Flag(
            ["--proxy", "-x"],
            value: "URL",
            kind: .beginning(ProxyServer.Scheme.allCases.map { "\($0.rawValue)://" }),
            secret: .userInfo,
            section: .proxy,
            help: "use the proxy URL: http, https, socks4, socks4a, socks5 or socks5h",
            details: """
                Without a scheme it is http; without a port 1080, or 443 for https. A user and \
                password in the URL are for the proxy alone: an HTTP proxy is told them when it asks, \
                a SOCKS proxy at once. socks4a and socks5h leave the look-up of names to the proxy. \
                With https the proxy has to prove its identity, whatever --no-check-certificate says. \
                Hosts that no_proxy names are reached directly all the same. An empty URL is the same \
                as --no-proxy.
                """
        ) { options, value throws(UsageError) in
            options.transport.proxy = try value.proxy()
        },
        Flag(
            ["--proxy-user", "--proxy-username"],
            value: "NAME[:PASSWORD]",
            background: .keepsNoPassword,
            reads: .init { [$0.proxyUser?.path] },
            secret: .userPassword,
            section: .proxy,
            help: "log in at the proxy as NAME, when it asks; also @FILE, env:NAME or fd:N",
            details: """
                Goes before the user and password in the proxy's URL, and is for proxies of the \
                environment too. What other users should not see on the command line is the first \
                line of FILE (@- of standard input), the environment variable NAME, or the next line \
                of descriptor N.
                """
        ) { options, value throws(UsageError) in
            options.proxyUser = try SecretSource(value)
        },
        Flag(
            ["--proxytunnel"],
            section: .proxy,
            help: "use a tunnel through an HTTP proxy (CONNECT) for http URLs too",
            details: """
                So it is done for https URLs always. The proxy sees no more than host and port then, and \
                many allow that for port 443 alone. -p means the same beside --proxy, as in curl.
                """
        ) { $0.transport.tunnelsThroughProxy = true },
        Flag(
            ["--noproxy"],
            value: "LIST",
            section: .proxy,
            help: "connect to these hosts directly: names and addresses with commas, or *",
            details: """
                A name stands for that host and all below it, with a dot before it or not. \
                Addresses may be given by their first bits, 10.0.0.0/8 or fe80::/10. A port behind a \
                name or an address, as in [::1]:8080, limits it to that port. localhost stands for \
                the loopback addresses too. LIST replaces what no_proxy says.
                """
        ) { options, value throws(UsageError) in
            let list = value.text.split { $0 == "," || $0 == " " }.map(String.init)
            // An empty one replaces the environment's too.
            options.transport.noProxy = list.joined(separator: ",")
        },
        Flag(
            ["--no-proxy"],
            section: .proxy,
            help: "use no proxy, and ignore those in the environment"
        ) { $0.transport.proxy = .none },
    ]
}

extension FlagValue {
    /// A proxy's URL; an empty one is no proxy.
    fileprivate func proxy() throws(UsageError) -> URLSessionConfiguration.Proxy {
        guard !text.isEmpty else { return .none }
        if ProxyServer(text) != nil { return .url(text) }
        let schemes = ProxyServer.Scheme.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidURL(
            Redaction.url(text),
            reason: "\(flag): is no proxy's URL",
            hint: "[SCHEME://][USER[:PASSWORD]@]HOST[:PORT], the scheme one of \(schemes)"
        )
    }
}
