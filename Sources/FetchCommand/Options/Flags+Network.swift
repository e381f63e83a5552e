extension Flags {
    /// Which protocol, over which address.
    static let network: [Flag] = [
        Flag(
            ["--http1.1"],
            excludes: ["--http2"],
            section: .session,
            help: "speak HTTP/1.1 only"
        ) { $0.http1Only = true },
        Flag(
            ["--http2"],
            excludes: ["--http1.1"],
            section: .session,
            help: "speak HTTP/2 where the server does",
            details: """
                That is the rule with https, where TLS agrees on it; with this flag an upgrade is \
                asked for over plain http too.
                """
        ) { $0.http2 = true },
        Flag(
            ["--inet4-only", "-4", "--ipv4"],
            excludes: ["--inet6-only"],
            section: .session,
            help: "connect over IPv4 only"
        ) { $0.ipv4Only = true },
        Flag(
            ["--inet6-only", "-6", "--ipv6"],
            excludes: ["--inet4-only"],
            section: .session,
            help: "connect over IPv6 only"
        ) { $0.ipv6Only = true },
        Flag(
            ["--resolve"],
            value: "HOST:PORT:ADDR",
            repeats: true,
            section: .session,
            help: "use ADDR for HOST and PORT instead of asking the resolver",
            details: """
                HOST may be *, which is every host, and several ADDR are separated by commas. An IPv6 \
                address may stand in brackets.
                """
        ) { options, value throws(UsageError) in
            options.resolve.append(try ResolveEntry(value))
        },
        Flag(
            ["--unix-socket"],
            value: "PATH",
            kind: .file,
            section: .session,
            help: "connect to the Unix socket PATH instead of the host",
            details: "The URL still says what is asked for, and which host is named to the server."
        ) { options, value throws(UsageError) in
            // sockaddr_un.sun_path has 108 bytes, one of them for the NUL: unix(7).
            guard value.text.utf8.count <= 107 else {
                throw value.invalid("is too long for a socket: 107 bytes at most")
            }
            options.unixSocket = try value.path()
        },
        Flag(
            ["--interface"],
            value: "NAME",
            section: .session,
            help: "connect from the interface or local address NAME"
        ) { options, value throws(UsageError) in
            options.interface = try value.nonEmpty("an interface or an address")
        },
    ]
}
