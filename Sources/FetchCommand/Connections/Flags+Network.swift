import URLLoading

extension Flags {
    static let network: [Flag] = [
        Flag(
            ["--http1.0", "-0"],
            excludes: .init("--http1.1", "--http2", because: "only one version can be used"),
            help: "use HTTP/1.0"
        ) { $0.transport.httpVersion = .http10 },
        Flag(
            ["--http1.1"],
            excludes: .init("--http2", because: "only one version can be used"),
            help: "use HTTP/1.1 only"
        ) { $0.transport.httpVersion = .http1 },
        Flag(
            ["--http2"],
            help: "use HTTP/2 if the server supports it",
            details: """
                This is the default with https, where TLS negotiates it. With this flag, an \
                upgrade is requested over plain http too.
                """
        ) { $0.transport.httpVersion = .http2 },
        Flag(
            ["--inet4-only", "-4", "--ipv4"],
            excludes: .init("-6", as: "-4", because: "each forbids the other's addresses"),
            help: "connect over IPv4 only"
        ) { $0.transport.addressFamily = .ipv4 },
        Flag(
            ["--inet6-only", "-6", "--ipv6"],
            help: "connect over IPv6 only"
        ) { $0.transport.addressFamily = .ipv6 },
        Flag(
            ["--resolve"],
            value: "HOST:PORT:ADDR",
            repeats: true,
            help: "use ADDR for HOST and PORT instead of a name lookup",
            details: """
                HOST may be *, which is every host. Several ADDR are separated by commas. An \
                IPv6 address may be in brackets.
                """
        ) { $0.transport.resolve.append(try $1.resolveEntry()) },
        Flag(
            ["--connect-to"],
            value: "HOST:PORT:TO:PORT",
            repeats: true,
            help: "connect to TO and its PORT instead of HOST and PORT",
            details: """
                The request and the certificate check still use the URL's host. An empty HOST or \
                PORT matches any. An empty TO or PORT after it means the URL's own.
                """
        ) { $0.transport.connectTo.append(try $1.connectToEntry()) },
        Flag(
            ["--proto"],
            value: "LIST",
            background: .followsRedirects,
            help: "allow only URLs of these schemes, as in =https; else exit with 11",
            details: """
                LIST is written as for curl: + or nothing before a scheme allows it, - forbids \
                it, = allows only that one. all means every scheme. Commas separate the \
                entries.
                """
        ) { $0.session.schemes = try SchemeList($1) },
        Flag(
            ["--unix-socket"],
            value: "PATH",
            help: "connect to the Unix socket PATH instead of the host",
            details: "The URL still determines the request, and the host named in it."
        ) { options, value in
            // sockaddr_un.sun_path has 108 bytes, one of them for the NUL: unix(7).
            guard value.text.utf8.count <= 107 else {
                throw value.invalid("is too long for a socket: 107 bytes at most")
            }
            options.transport.unixSocketPath = try value.path()
        },
        Flag(
            ["--interface", "--bind-address"],
            value: "NAME",
            help: "connect from the interface or local address NAME"
        ) { $0.transport.interface = try $1.nonEmpty("an interface or an address") },
    ]
}

extension FlagValue {
    /// Parses `HOST:PORT:ADDRESS[,ADDRESS]…`; IPv6 may be in brackets, `*` means every host.
    fileprivate func resolveEntry() throws(UsageError) -> String {
        guard let (host, afterHost) = Self.host(of: text[...]),
            let (digits, list) = afterHost.split(atFirst: UInt8(ascii: ":")),
            let port = Int(digits: digits), (1...65_535).contains(port)
        else { throw invalid("is not HOST:PORT:ADDRESS", hint: "as in example.com:443:127.0.0.1") }
        guard host.utf8.first != UInt8(ascii: "[") else {
            throw invalid("has an address as HOST", hint: "--connect-to also takes addresses")
        }
        var addresses: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let address = part.withoutBrackets
            guard IPAddress(address) != nil else { throw invalid("does not end in an IP address") }
            addresses.append(address.contains(":") ? "[\(address)]" : address)
        }
        return "\(CanonicalHost.name(host)):\(port):\(addresses.joined(separator: ","))"
    }

    /// Splits off the host, which may be an IPv6 address in brackets.
    private static func host(of text: Substring) -> (String, Substring)? {
        let start = text.utf8.first == UInt8(ascii: "[") ? text.utf8.firstIndex(of: 0x5d) : nil
        guard let (_, rest) = text[(start ?? text.startIndex)...].split(atFirst: 0x3a) else {
            return nil
        }
        let host = String(text[..<text.utf8.index(before: rest.startIndex)])
        guard host == "*" || HostName.isValid(host) else { return nil }
        return (host, rest)
    }

    /// Parses `HOST:PORT:TO:PORT`; any field may be empty, and IPv6 addresses are in brackets.
    fileprivate func connectToEntry() throws(UsageError) -> String {
        var fields = [""]
        var isBracketed = false
        for scalar in text.unicodeScalars {
            if scalar == "[" { isBracketed = true }
            if scalar == "]" { isBracketed = false }
            if scalar == ":", !isBracketed {
                fields.append("")
            } else {
                fields[fields.count - 1].unicodeScalars.append(scalar)
            }
        }
        func isPort(_ text: String) -> Bool {
            text.isEmpty || text.utf8.allSatisfy(\.isDigit) && (UInt16(text) ?? 0) > 0
        }
        guard fields.count == 4, isPort(fields[1]), isPort(fields[3]),
            [fields[0], fields[2]].allSatisfy({ $0.isEmpty || HostName.isValid($0) })
        else {
            throw invalid("is not HOST:PORT:TO:PORT", hint: "as in example.com:443:127.0.0.1:8443")
        }
        for place in [0, 2] { fields[place] = CanonicalHost.name(fields[place]) }
        return fields.joined(separator: ":")
    }
}

extension Flags {
    static let connectivity: [Flag] = [
        Flag(
            ["--wait-for-connectivity"],
            help: "wait for a network if there is none",
            details: """
                There is no network if no route, link or address leads to the server, or if no \
                name server can be asked for its address. A server that refuses, or a name that \
                does not exist, is an error as usual. fetch reports once that it is waiting. It \
                continues as soon as the kernel reports a change of a link, an address or a \
                route. Without such a change, it tries again after 1 s, 2 s and so on, up to 30 \
                s. Meanwhile --timeout and --tries do not count, but --max-time does. A \
                connection that is lost later does not wait in this way. With -vv, the event \
                taskIsWaitingForConnectivity reports it.
                """
        ) { $0.session.settings.waitsForConnectivity = true }
    ]
}

extension Flags {
    static let splitting: [Flag] = [
        Flag(
            ["--split"],
            value: "N",
            help: "fetch each file over up to N connections (1)",
            details: """
                The first response continues from its first byte. The parts behind it are \
                requested over further connections, on the condition that the file is still the \
                same; with TLS they have threads of their own. This helps if a server limits \
                each connection, and with TLS. The server must send the file's length, support \
                ranges, and identify the file's version (by a strong ETag or Last-Modified). No \
                part is smaller than 1 MiB. If a server refuses some of the connections, fewer \
                are used, down to one; the file is the same in any case. --continue continues an \
                interrupted download with or without this flag.
                """
        ) { $0.transport.maximumStreamsPerDownload = try $1.integer(in: 1...64) }
    ]
}

extension Conflicts {
    /// Throws unless the task is a plain GET that saves a whole file, which alone can be split.
    static func checkSplitting(_ options: Options) throws(UsageError) {
        let streams = options.transport.maximumStreamsPerDownload
        guard streams > 1 else { return }
        let reason = "only a whole file from a plain GET can be split"
        let other =
            otherThanGet(options, namesMethod: true)
            ?? (options.responses.range == nil ? nil : "--range")
            ?? (options.outputs.contains(.standardOutput) ? "--output -" : nil)
            ?? (options.decidesByResponse ? "--auto" : nil)
        if let other { throw .conflict("--split", other, reason: reason) }
        if let most = options.session.maximumConnectionsPerHost, most < streams {
            throw .conflict(
                "--split \(streams)",
                "--max-connections-per-host \(most)",
                reason: "each part has a connection to itself"
            )
        }
    }
}
