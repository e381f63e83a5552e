import URLLoading

extension Flags {
    /// Flags for a download over several connections.
    static let splitting: [Flag] = [
        Flag(
            ["--split"],
            value: "N",
            kind: .number,
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
