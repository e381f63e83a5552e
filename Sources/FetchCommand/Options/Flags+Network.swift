extension Flags {
    /// Which protocol, over which address.
    static let network: [Flag] = [
        Flag(
            ["--http1.0", "-0"],
            excludes: ["--http1.1", "--http2"],
            section: .session,
            help: "speak HTTP/1.0"
        ) { $0.http10Only = true },
        Flag(
            ["--http1.1"],
            excludes: ["--http1.0", "--http2"],
            section: .session,
            help: "speak HTTP/1.1 only"
        ) { $0.http1Only = true },
        Flag(
            ["--http2"],
            excludes: ["--http1.0", "--http1.1"],
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
            ["--connect-to"],
            value: "HOST:PORT:TO:PORT",
            repeats: true,
            section: .session,
            help: "connect to TO and its PORT instead of HOST and PORT",
            details: """
                The URL still says what is asked for, and whose certificate is wanted. An empty HOST or \
                PORT is any, and an empty TO or PORT behind it the URL's own.
                """
        ) { options, value throws(UsageError) in
            options.connectTo.append(try ConnectToEntry(value))
        },
        Flag(
            ["--proto"],
            value: "LIST",
            section: .session,
            help: "ask only for URLs of these schemes, as in =https; else exit with 11",
            details: """
                LIST is curl's: + or nothing before a scheme allows it, - forbids it, = allows it alone; \
                all is every one, and commas stand between.
                """
        ) { options, value throws(UsageError) in
            options.schemes = try SchemeList(value)
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
            ["--interface", "--bind-address"],
            value: "NAME",
            section: .session,
            help: "connect from the interface or local address NAME"
        ) { options, value throws(UsageError) in
            options.interface = try value.nonEmpty("an interface or an address")
        },
    ]
}
