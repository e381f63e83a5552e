extension Flags {
    /// Flags of curl that state fetch's default, so that pasted commands work.
    static let compatibility: [Flag] = [
        habit(["--fail", "-f"], "errors are always reported"),
        habit(["--location", "-L"], "redirects are followed"),
        habit(["--remote-time", "-R"], "files keep the server's time"),
        habit(["--show-error"], "errors are always shown"),
        Flag(
            ["--silent", "-s", "-sS"],
            orders: .all,
            help: "show no progress"
        ) { $0.hidesProgress = true },
    ]

    private static func habit(_ names: [String], _ words: String) -> Flag {
        Flag(names, orders: .all, help: "do nothing: \(words)") { _ in }
    }
}
