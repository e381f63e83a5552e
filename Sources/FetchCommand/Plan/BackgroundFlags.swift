/// Which flags mean something to a background session, whose tasks are carried out by a process that
/// has neither a terminal nor anybody to tell.
package enum BackgroundFlags {
    /// What `--background` cannot obey, by the flag's first name, and why.
    package static let refused: [String: String] = {
        var refused: [String: String] = [:]
        for (reason, flags) in reasons { for flag in flags { refused[flag] = reason } }
        return refused
    }()

    private static let reasons: [(reason: String, flags: [String])] = [
        (
            "a background session sends bodies from files only: --post-file FILE, --upload-file FILE",
            [
                "--data", "--data-binary", "--data-raw", "--data-urlencode", "--json", "--form",
                "--form-string", "--content-length",
            ]
        ),
        (
            "a background session makes files",
            [
                "--head", "--include", "--auto", "--force", "--accept-type", "--error-body",
                "--content-on-error",
            ]
        ),
        (
            "a background session has one name for a file, known from the start",
            ["--content-disposition", "--no-clobber", "--timestamping", "--time-cond"]
        ),
        (
            "nobody is told while it is in the background; --attach ID tells later",
            [
                "--events", "--events-file", "--events-fd", "--write-out", "--har", "--dump-header",
                "--server-response", "--append-output", "--output-file", "--show-progress",
            ]
        ),
        (
            "there is nobody to be asked; --attach ID asks",
            ["--ask-password", "--use-askpass"]
        ),
        (
            "a background session keeps no password: --netrc-file FILE, or --auth basic, which sends it"
                + " unasked and keeps what it sends",
            [
                "--save-credentials", "--forget-credentials", "--private-key-password",
                "--proxy-user",
            ]
        ),
        (
            "a background session has cookies of its own, which end with it; with --no-cookies none",
            [
                "--load-cookies", "--save-cookies", "--keep-session-cookies", "--ephemeral",
                "--session",
            ]
        ),
        ("it is about what runs in the foreground keep", ["--session-list", "--session-remove"]),
        (
            "what a background session has fetched is not compared with anything",
            [
                "--checksum", "--checksum-from", "--no-use-server-timestamps", "--etag-compare",
                "--etag-save",
            ]
        ),
        (
            "a background session follows every redirect, and no credential goes along",
            ["--redirect", "--proto-redir", "--location-trusted", "--proto"]
        ),
        ("a background session makes files, and these are whole or absent", ["--hold"]),
        (
            "a background session asks for what a URL names, and sends whole files",
            ["--request-target", "--upload-offset"]
        ),
        (
            "a background session tries again by rules of its own, until --max-time or --tries end it",
            [
                "--waitretry", "--retry-on", "--retry-delay", "--retry-max-time",
                "--retry-all-errors", "--speed-limit", "--speed-time",
            ]
        ),
        ("an error status is a failure in the background", ["--accept-status"]),
        (
            "a background session carries out 16 tasks at once, each to its own end",
            ["--jobs", "--fail-early", "--wait", "--random-wait", "--rate"]
        ),
    ]

    /// What `--background` obeys, and what makes no difference to it.
    package static let obeyed = usual.union([
        "--background", "--identifier", "--on-complete", "--discretionary", "--no-discretionary",
        "--output", "--directory-prefix", "--input-file", "--allow-file-urls", "--continue",
        "--upload-file",
        "--post-file", "--request", "--header", "--user-agent", "--referer", "--range",
        "--max-filesize", "--user", "--password", "--auth", "--negotiate-to", "--bearer",
        "--netrc-file", "--no-netrc", "--no-ask-password", "--secret-header", "--spool-limit",
        "--compressed",
        "--no-compressed", "--compression", "--cookie", "--no-cookies", "--cookie-policy", "--hsts",
        "--no-hsts", "--hsts-file", "--cache-policy", "--no-cache", "--cache-size",
        "--clear-cache", "--ignore-digests", "--http1.1", "--http2", "--inet4-only",
        "--inet6-only", "--resolve", "--unix-socket", "--interface", "--proxy", "--noproxy",
        "--no-proxy", "--max-redirect", "--tries", "--retry-connrefused",
        "--wait-for-connectivity", "--timeout", "--connect-timeout", "--max-time",
        "--max-connections-per-host", "--limit-rate", "--split", "--tls-min", "--tls-max",
        "--ca-certificate", "--ca-directory", "--crl-file", "--certificate", "--private-key",
        "--certificate-type", "--ciphers", "--pinned-pubkey", "--no-check-certificate",
        "--dry-run", "--remote-name", "--remote-name-all", "--output-dir", "--create-dirs",
        "--force-directories", "--no-host-directories", "--cut-dirs", "--url", "--globoff", "--get",
        "--url-query", "--http1.0", "--connect-to", "--proxytunnel", "--post301", "--post302",
        "--post303", "--path-as-is", "--raw",
    ])

    /// What may stand beside any flag.
    private static let usual: Set<String> = [
        "--help", "--version", "--config", "--no-config", "--verbose", "--no-verbose", "--quiet",
        "--progress", "--silent", "--show-error", "--fail", "--location", "--remote-time",
    ]

    /// What an order to sessions of whatever kind obeys: those that say how it is told, and by `--attach` who one is.
    package static func obeyed(by order: String) -> Set<String> {
        guard order == "--attach" else { return usual.union([order]) }
        return usual.union([
            order, "--user", "--password", "--ask-password", "--no-ask-password", "--use-askpass",
            "--auth", "--netrc-file", "--no-netrc", "--events", "--events-file", "--events-fd",
            "--no-cookies",
        ])
    }
}
