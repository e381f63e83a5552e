extension Flags {
    /// Where a 3xx leads.
    static let redirects: [Flag] = [
        Flag(
            ["--redirect"],
            value: "WHICH",
            kind: .choice(RedirectChoice.allCases.map(\.rawValue)),
            section: .redirects,
            help: "which redirects to follow: follow (all), same-origin or none"
        ) { options, value throws(UsageError) in
            options.redirects = try value.choice(RedirectChoice.self)
        },
        Flag(
            ["--max-redirect", "--max-redirs"],
            value: "N",
            kind: .number,
            section: .redirects,
            help: "follow at most N redirects (20)"
        ) { options, value throws(UsageError) in
            options.maxRedirects = try value.integer(in: 0...Int(Int32.max))
        },
    ]
}
