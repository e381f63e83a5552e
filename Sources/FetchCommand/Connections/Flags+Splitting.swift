import URLLoading

extension Flags {
    /// One file over several connections.
    static let splitting: [Flag] = [
        Flag(
            ["--split"],
            value: "N",
            kind: .number,
            section: .session,
            help: "fetch each file over up to N connections (1)",
            details: """
                The first response goes on from its first byte, and parts behind it are asked for over \
                further connections, under the condition that the file is still the same; over TLS \
                they have threads of their own. That is worth it where a server limits each \
                connection, and with TLS. It needs a server that says how long the file is, that it \
                sends parts, and what it knows this state of the file by (a strong ETag, or \
                Last-Modified); no part is smaller than 1 MiB. A server that refuses some of the \
                connections gets fewer, down to one; the file is the same in any case. A download \
                that breaks off is continued by --continue with or without this flag.
                """
        ) { options, value throws(UsageError) in
            options.transport.maximumStreamsPerDownload = try value.integer(in: 1...64)
        }
    ]
}

extension Conflicts {
    /// What can be split is a file that a plain GET fetches as a whole.
    static func checkSplitting(_ options: Options) throws(UsageError) {
        let streams = options.transport.maximumStreamsPerDownload
        guard streams > 1 else { return }
        let reason = "what is split is a file that a plain GET fetches as a whole"
        let method = options.method.flatMap { $0 == .get ? nil : "--request \($0.name)" }
        let other =
            bodyFlags(options).first ?? (options.head ? "--head" : nil) ?? method
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
