import URLLoading

/// The credentials that one task has tried, for the hint when the server refused them all.
struct AuthenticationAttempts: Sendable {
    /// The server or proxy that sent the challenge, as `http://host:80, realm “x”`.
    private(set) var place: String?
    /// The methods offered in challenges, in the order in which they were tried.
    private(set) var methods: [String] = []
    /// Offered methods that `--auth` excludes.
    private(set) var excluded: [String] = []
    private(set) var refused: [CredentialSource] = []
    /// Whether the command line's Authorization was refused.
    var isHeaderRefused = false
    /// Whether the user was prompted and gave no password.
    var isDeclined = false
    /// Whether `--user` was not sent because the URL comes from a list and uses plain HTTP.
    var isWithheld = false
    private(set) var isProxy = false

    mutating func note(_ method: String, at place: String, isProxy: Bool, isExcluded: Bool) {
        // A challenge from another server precedes a redirect, so its record is obsolete.
        if place != self.place || isProxy != self.isProxy { self = AuthenticationAttempts() }
        self.place = place
        self.isProxy = isProxy
        if isExcluded {
            if !excluded.contains(method) { excluded.append(method) }
        } else if !methods.contains(method) {
            methods.append(method)
        }
    }

    mutating func note(refused source: CredentialSource) {
        if !refused.contains(source) { refused.append(source) }
    }

    /// Whether a response with status 401 offers the Bearer scheme.
    static func offersBearer(_ response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 401 else { return false }
        return response.headerFields.fields.contains { field in
            HTTPHeaderFields.areSame(field.name, "WWW-Authenticate")
                && field.value.asciiLowercased.contains("bearer")
        }
    }

    /// The hint for a response status; `nil` if the status is not 401 or 407.
    func hint(_ status: Int, offersBearer: Bool) -> String? {
        guard status == 401 || status == 407 else { return nil }
        guard let place else {
            if isHeaderRefused { return "the server rejected the given Authorization" }
            return offersBearer ? "the server requires a token: use --bearer TOKEN" : nil
        }
        if isProxy {
            return "the proxy requires \(list(methods)) (\(place)): use --proxy-user NAME:PASSWORD"
        }
        let challenge = "\(place), requires \(list(methods.isEmpty ? excluded : methods))"
        if isHeaderRefused { return "\(challenge): the server rejected the given Authorization" }
        if !refused.isEmpty {
            return
                "\(challenge): the server rejected the password from \(list(refused.map(\.words)))"
                + (refused.contains(.storage) ? "; --forget-credentials forgets it" : "")
        }
        if methods.isEmpty { return "\(challenge), and --auth does not allow that" }
        if isWithheld {
            return "\(challenge): --user is not sent over plain HTTP to URLs of a list;"
                + " --auth METHOD sends it"
        }
        if methods == ["Negotiate"] {
            guard KerberosTickets.canBeUsed else {
                return "\(challenge), and Kerberos is not installed (no libgssapi_krb5.so.2)"
            }
            return "\(challenge): run kinit to get a ticket; outside your realm,"
                + " --negotiate-to HOST sends it"
        }
        if isDeclined { return "\(challenge), and no password was given" }
        return "\(challenge): --user NAME, or an entry in .netrc, logs you in"
    }

    private func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

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

    /// Warns of a redirect from TLS to plain HTTP, even with `-q`, because the user's URL has TLS.
    func downgrade(_ run: TaskRun, to target: String) {
        line(
            "fetch: warning: \(run.plan.address.redacted): redirected to \(target), where others"
                + " on the network can read and change what is sent",
            .warning,
            waits: false
        )
    }

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
