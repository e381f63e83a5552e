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

    /// Records a challenge of a server or proxy.
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
