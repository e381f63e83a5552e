extension Conflicts {
    /// A process of its own obeys what can be written down for it.
    static func checkBackground(_ options: Options) throws(UsageError) {
        if let order = options.backgroundOrder { return try check(order, options) }
        guard options.background else {
            for flag in ["--identifier", "--on-complete", "--discretionary", "--no-discretionary"]
            where options.given.contains(flag) {
                throw .invalidValue(
                    flag: flag,
                    value: nil,
                    reason: "is for --background alone",
                    hint: nil
                )
            }
            return
        }
        for flag in options.given.sorted() {
            guard let reason = BackgroundFlags.refused[flag] else { continue }
            throw .conflict("--background", flag, reason: reason)
        }
        if options.outputs.contains(.standardOutput) {
            throw .conflict(
                "--background",
                "--output -",
                reason: "there is no standard output when the body comes"
            )
        }
        if options.upload?.source == .standardInput {
            throw .conflict(
                "--background",
                options.upload?.kind == .put ? "--upload-file -" : "--post-file -",
                reason: "a background session sends bodies from files only"
            )
        }
        if options.user != nil || options.password != nil, options.authentication != .basic {
            throw .conflict(
                "--background",
                options.user != nil ? "--user" : "--password",
                reason: BackgroundFlags.refused["--proxy-user"] ?? ""
            )
        }
    }

    private static func check(
        _ order: BackgroundOrder,
        _ options: Options
    ) throws(UsageError) {
        let obeyed = BackgroundFlags.obeyed(by: order.flag)
        if let flag = options.given.subtracting(obeyed).min() {
            throw .conflict(order.flag, flag, reason: "nothing is fetched by this command")
        }
        if !options.urls.isEmpty {
            throw .conflict(
                order.flag,
                "a URL",
                reason: "--background --identifier ID URL adds one to a session"
            )
        }
    }
}
