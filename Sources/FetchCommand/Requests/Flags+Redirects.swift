import URLLoading

extension Flags {
    static let redirects: [Flag] = [
        Flag(
            ["--redirect"],
            value: "WHICH",
            kind: .choice(RedirectChoice.allCases.map(\.rawValue)),
            background: .followsRedirects,
            help: "choose which redirects to follow: follow (all), same-origin or none",
            details: """
                With `same-origin`, a redirect to another scheme, host or port ends the task \
                with exit status 11. With `none`, the redirect itself is the response. \
                Credentials are never sent to another origin, whatever is chosen.
                """
        ) { $0.session.redirects = try $1.choice() },
        Flag(
            ["--proto-redir"],
            value: "LIST",
            background: .followsRedirects,
            help: "follow redirects only to these schemes, as in =https; else exit with 11",
            details: "LIST is written as for --proto. --proto applies to redirects too."
        ) { $0.session.redirectSchemes = try SchemeList($1) },
        Flag(
            ["--location-trusted"],
            background: .followsRedirects,
            help: "send user, password and cookies to any host after a redirect",
            details: """
                A warning is printed on standard error. The user and password are sent at once.
                """
        ) { $0.session.trustsRedirects = true },
        Flag(
            ["--max-redirect", "--max-redirs"],
            value: "N",
            kind: .number,
            help: "follow at most N redirects (20)",
            details: "If there are more, the exit status is 7."
        ) { $0.transport.maximumRedirects = try $1.integer(in: 0...Int(Int32.max)) },
        Flag(
            ["--post301"],
            help: "keep the method POST and its body after a 301",
            details: """
                Without this flag, POST becomes GET, as in browsers. After 307 and 308 it never \
                does.
                """
        ) { $0.transport.redirectsKeepingPost.insert(301) },
        Flag(
            ["--post302"],
            help: "keep the method POST and its body after a 302"
        ) { $0.transport.redirectsKeepingPost.insert(302) },
        Flag(
            ["--post303"],
            help: "keep the method POST and its body after a 303"
        ) { $0.transport.redirectsKeepingPost.insert(303) },
    ]
}

/// Which redirects are followed: `--redirect`.
enum RedirectChoice: String, CaseIterable, Sendable {
    case follow
    /// Only redirects to the same scheme, host and port.
    case sameOrigin = "same-origin"
    /// None: the 3xx response is the result.
    case none
}
