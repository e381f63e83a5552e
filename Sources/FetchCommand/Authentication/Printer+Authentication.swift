import URLLoading

// Messages about credentials; no message contains a credential.
extension Printer {
    /// Warns that these flags have secrets on the command line.
    func exposed(_ flags: [String]) {
        var ways: [String] = []
        for flag in flags {
            let way = Self.alternative(to: flag)
            if !ways.contains(way) { ways.append(way) }
        }
        warning(
            "\(flags.joined(separator: ", ")): other users can see the command line;"
                + " \(ways.joined(separator: ", or ")) hides it"
        )
    }

    /// The ways to give a flag's secret without showing it on the command line.
    private static func alternative(to flag: String) -> String {
        switch Flags.named(flag)?.names.first {
        case "--header": "-H @FILE, or env:NAME within the value,"
        case "--user", "--password": "@FILE, env:NAME, fd:N or .netrc"
        // The secret is in a URL.
        case nil, "--checksum-from": "--user NAME with --password @FILE, or .netrc,"
        case "--proxy": "--proxy-user @FILE, env:NAME or fd:N"
        default: "@FILE, env:NAME or fd:N"
        }
    }

    /// Runs a prompt while bars and messages are suspended.
    func whilePrompting<Result>(_ body: () -> Result) -> Result {
        guard let board = progress.board else { return body() }
        board.beginPrompt()
        defer { board.endPrompt() }
        return body()
    }

    func unsaved(_ space: URLProtectionSpace, _ error: CredentialStoreError) {
        warning(
            "--save-credentials: the credentials for \(space.shown) were not saved:"
                + " \(Printable.text("\(error)"))"
        )
    }

    /// Warns of a redirect from TLS to plain HTTP, even with `-q`, because the user's URL has TLS.
    func downgrade(_ run: TaskRun, to target: String) {
        line(
            "fetch: warning: \(run.plan.address.redacted): redirected to \(target), where others"
                + " on the network can read and change what is sent",
            .warning,
            waits: false
        )
    }

    /// The hint for a status that concerns authentication.
    func identityHint(_ run: TaskRun, _ status: Int) -> String? {
        let (attempts, offersBearer) = run.get {
            ($0.attempt.authentication, $0.attempt.offersBearer)
        }
        let identity = run.plan.identity
        let isUnasked =
            identity.credential != nil && identity.sentAtOnce == nil
            && attempts.place == nil
        // Some servers send 404 for a resource that needs a login.
        if isUnasked, status == 403 || status == 404 {
            return "the server sent no challenge; --auth basic sends the credentials without one"
        }
        return attempts.hint(status, offersBearer: offersBearer)
    }
}
