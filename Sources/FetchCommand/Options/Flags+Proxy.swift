extension Flags {
    /// Through whom.
    static let proxy: [Flag] = [
        Flag(
            ["--proxy", "-x"],
            value: "URL",
            kind: .url,
            section: .proxy,
            help: "go through this proxy: http, https, socks4, socks4a, socks5 or socks5h",
            details: "Without a scheme it is http. An empty URL is the same as --no-proxy."
        ) { options, value throws(UsageError) in
            options.proxy = value.text.isEmpty ? nil : try ProxyAddress(value)
            options.ignoresProxies = value.text.isEmpty
        },
        Flag(
            ["--noproxy"],
            value: "LIST",
            section: .proxy,
            help: "reach these hosts directly: names and domains with commas, or *"
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
