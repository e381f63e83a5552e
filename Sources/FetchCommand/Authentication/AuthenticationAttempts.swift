import URLLoading

/// What was tried for a task, to be told if it was all in vain.
struct AuthenticationAttempts: Sendable {
    /// The server or proxy that asked, as `http://host:80, realm “x”`.
    private(set) var place: String?
    /// The methods that were offered, in the order in which they were taken up.
    private(set) var methods: [String] = []
    /// Those that `--auth` leaves no room for.
    private(set) var excluded: [String] = []
    /// Whose password was refused.
    private(set) var refused: [CredentialSource] = []
    /// Whether an Authorization that the command line gives was refused.
    var isHeaderRefused = false
    /// Whether the user was asked, and declined.
    var isDeclined = false
    /// Whether what `--user` says was not sent in the clear to a server that a list names.
    var isWithheld = false
    private(set) var isProxy = false

    /// A server or proxy has asked.
    mutating func note(_ method: String, at place: String, isProxy: Bool, isExcluded: Bool) {
        // What another server has asked before a redirect is settled.
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

    /// Whether a response says that a bearer token would do.
    static func offersBearer(_ response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 401 else { return false }
        return response.headerFields.fields.contains { field in
            HTTPHeaderFields.areSame(field.name, "WWW-Authenticate")
                && field.value.asciiLowercased.contains("bearer")
        }
    }

    /// What to do about a status; `nil` where it is not about authentication.
    func hint(_ status: Int, offersBearer: Bool) -> String? {
        guard status == 401 || status == 407 else { return nil }
        guard let place else {
            if isHeaderRefused { return "the server refused the given Authorization" }
            return offersBearer ? "the server requires a token: use --bearer TOKEN" : nil
        }
        if isProxy {
            return "the proxy wants \(list(methods)) (\(place)): use --proxy-user NAME:PASSWORD"
        }
        let challenge = "\(place), wants \(list(methods.isEmpty ? excluded : methods))"
        if isHeaderRefused { return "\(challenge): the server refused the given Authorization" }
        if !refused.isEmpty {
            return "\(challenge): refused is the password of \(list(refused.map(\.words)))"
                + (refused.contains(.storage) ? "; --forget-credentials forgets it" : "")
        }
        if methods.isEmpty { return "\(challenge), and --auth does not allow that" }
        if isWithheld {
            return "\(challenge): over plain HTTP --user is not for what a list names;"
                + " --auth METHOD has it sent"
        }
        if methods == ["Negotiate"] {
            guard KerberosTickets.canBeUsed else {
                return "\(challenge), and Kerberos is not installed (no libgssapi_krb5.so.2)"
            }
            return "\(challenge): kinit gets a ticket that may do; outside of your realm"
                + " --negotiate-to HOST has it shown"
        }
        if isDeclined { return "\(challenge), and no password was given" }
        return "\(challenge): --user NAME, or an entry in .netrc, logs you in"
    }

    private func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
