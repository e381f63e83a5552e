extension Flags {
    /// Flags of curl that state fetch's default, so that pasted commands work.
    static let compatibility: [Flag] = [
        Flag(
            ["--fail", "-f"],
            orders: .all,
            help: "do nothing: errors are always reported"
        ) { _ in },
        Flag(
            ["--location", "-L"],
            orders: .all,
            help: "do nothing: redirects are followed"
        ) { _ in },
        Flag(
            ["--remote-time", "-R"],
            orders: .all,
            help: "do nothing: files keep the server's time"
        ) { _ in },
        Flag(
            ["--show-error"],
            orders: .all,
            help: "do nothing: errors are always shown"
        ) { _ in },
        Flag(
            ["--silent", "-s", "-sS"],
            orders: .all,
            help: "show no progress"
        ) { $0.hidesProgress = true },
    ]
}
