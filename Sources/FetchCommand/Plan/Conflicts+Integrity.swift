extension Conflicts {
    /// A checksum is of one whole body that is fetched.
    static func checkIntegrity(_ options: Options) throws(UsageError) {
        guard options.checksum != nil || options.checksumSource != nil else { return }
        let flag = options.checksum != nil ? "--checksum" : "--checksum-from"
        if options.checksum != nil, options.urls.count > 1 || options.list != nil {
            throw .conflict(
                "--checksum",
                "several URLs",
                reason: "one checksum is of one body; --checksum-from has a list of them"
            )
        }
        let head = options.head ? "--head" : options.method == .head ? "--request HEAD" : nil
        if let other = bodyFlags(options).first ?? head {
            throw .conflict(flag, other, reason: "what is compared is a body that is fetched")
        }
        let ownRange = options.headers.contains { $0.name.lowercased() == "range" }
        if options.range != nil || ownRange {
            throw .conflict(
                flag,
                ownRange ? "--header Range" : "--range",
                reason: "a checksum is of the whole"
            )
        }
        guard options.checksumSource == .standardInput else { return }
        let secrets = [options.user, options.password, options.bearer, options.cookie]
        let others = [
            "--write-out @-": options.writeOut == .standardInput,
            "--input-file -": options.list == .standardInput,
            "a secret from it": secrets.contains(.standardInput),
        ]
        guard let other = others.first(where: \.value) else { return }
        throw .conflict(
            "--checksum-from -",
            other.key,
            reason: "standard input can be read once"
        )
    }
}
