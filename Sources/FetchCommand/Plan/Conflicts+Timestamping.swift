import URLLoading

extension Conflicts {
    /// What is compared with the server's is a file that a plain GET fetches whole.
    static func checkTimestamping(
        _ options: Options,
        bodyFlags: [String]
    ) throws(UsageError) {
        guard options.timestamping else { return }
        if options.outputs.contains(.standardOutput) {
            throw .conflict("--timestamping", "--output -", reason: "only a file can be compared")
        }
        let ownFields = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        let field = options.headers.lazy.map(\.name).first { name in
            ownFields.contains { HTTPHeaderFields.areSame($0, name) }
        }
        let other =
            options.head ? "--head" : options.method.flatMap { $0 == .get ? nil : "--request" }
        let part = options.range != nil ? "--range" : nil
        let choice = options.decidesByAnswer ? "--auto" : nil
        guard
            let flag = bodyFlags.first ?? other ?? part ?? choice ?? field.map({ "--header \($0)" })
        else { return }
        throw .conflict(
            "--timestamping",
            flag,
            reason: "what can be compared is a file that a plain GET fetches"
        )
    }
}
