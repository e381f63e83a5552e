extension Flags {
    /// Which protocol, over which address.
    static let network: [Flag] = [
        Flag(
            ["--http1.1"],
            section: .session,
            help: "speak HTTP/1.1 only"
        ) { $0.http1Only = true },
        Flag(
            ["--http2"],
            section: .session,
            help: "speak HTTP/2 where the server does"
        ) { $0.http2 = true },
        Flag(
            ["--inet4-only", "-4", "--ipv4"],
            section: .session,
            help: "connect over IPv4 only"
        ) { $0.ipv4Only = true },
        Flag(
            ["--inet6-only", "-6", "--ipv6"],
            section: .session,
            help: "connect over IPv6 only"
        ) { $0.ipv6Only = true },
        Flag(
            ["--resolve"],
            value: "HOST:PORT:ADDR",
            section: .session,
            help: "use ADDR for HOST and PORT instead of asking the resolver",
            details: "May be repeated. HOST may be *, and several ADDR are separated by commas."
        ) { options, value throws(UsageError) in
            options.resolve.append(try ResolveEntry(value))
        },
        Flag(
            ["--unix-socket"],
            value: "PATH",
            kind: .file,
            section: .session,
            help: "connect to this Unix socket instead of the host"
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
            help: "connect from this interface or local address"
        ) { options, value throws(UsageError) in
            options.interface = try value.nonEmpty("an interface or an address")
        },
    ]
}
