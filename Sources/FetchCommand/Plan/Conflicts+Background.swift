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
            guard let refusal = Flags.named(flag)?.refusal else { continue }
            throw .conflict("--background", flag, reason: refusal.rawValue)
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
                reason: BackgroundRefusal.keepsNoPassword.rawValue
            )
        }
    }

    /// An order fetches nothing: beside it stands what says how it is told, and by `--attach` who one is.
    static func check(_ order: String, _ options: Options) throws(UsageError) {
        let flag = options.given.sorted().first { name in
            guard name != order, let flag = Flags.named(name) else { return false }
            return flag.orders == .none || flag.orders == .attach && order != "--attach"
        }
        guard let flag else { return }
        throw .conflict(order, flag, reason: "nothing is fetched by this command")
    }

    private static func check(
        _ order: BackgroundOrder,
        _ options: Options
    ) throws(UsageError) {
        try check(order.flag, options)
        if !options.urls.isEmpty {
            throw .conflict(
                order.flag,
                "a URL",
                reason: "--background --identifier ID URL adds one to a session"
            )
        }
    }
}
