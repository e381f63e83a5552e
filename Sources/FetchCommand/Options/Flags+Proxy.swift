extension Flags {
    /// Through whom.
    static let proxy: [Flag] = [
        Flag(
            ["--proxy", "-x"],
            value: "URL",
            kind: .beginning(ProxyAddress.Scheme.allCases.map { "\($0.rawValue)://" }),
            section: .proxy,
            help: "go through the proxy URL: http, https, socks4, socks4a, socks5 or socks5h",
            details: """
                Without a scheme it is http. A user and password in the URL are for the proxy alone. \
                socks4a and socks5h leave the look-up of names to the proxy. An empty URL is the same \
                as --no-proxy.
                """
        ) { options, value throws(UsageError) in
            options.proxy = value.text.isEmpty ? nil : try ProxyAddress(value)
            options.ignoresProxies = value.text.isEmpty
        },
        Flag(
            ["--noproxy"],
            value: "LIST",
            section: .proxy,
            help: "reach these hosts directly: names and domains with commas, or *",
            details: "A domain stands for all hosts below it. LIST replaces what no_proxy says."
        ) { options, value throws(UsageError) in
            let list = try value.nonEmpty("a list of hosts")
            options.proxyExceptions = list.split { $0 == "," || $0 == " " }.map(String.init)
        },
        Flag(
            ["--no-proxy"],
            section: .proxy,
            help: "use no proxy, whatever the environment says"
        ) {
            $0.proxy = nil
            $0.ignoresProxies = true
        },
    ]
}
