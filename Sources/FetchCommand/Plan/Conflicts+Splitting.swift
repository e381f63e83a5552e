import URLLoading

extension Conflicts {
    /// What can be split is a file that a plain GET fetches as a whole.
    static func checkSplitting(_ options: Options) throws(UsageError) {
        let streams = options.transport.maximumStreamsPerDownload
        guard streams > 1 else { return }
        let reason = "what is split is a file that a plain GET fetches as a whole"
        let method = options.method.flatMap { $0 == .get ? nil : "--request \($0.name)" }
        let other =
            bodyFlags(options).first ?? (options.head ? "--head" : nil) ?? method
            ?? (options.range == nil ? nil : "--range")
            ?? (options.outputs.contains(.standardOutput) ? "--output -" : nil)
            ?? (options.decidesByAnswer ? "--auto" : nil)
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
