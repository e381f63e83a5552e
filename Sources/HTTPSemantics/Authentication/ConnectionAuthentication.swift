// The proofs of identity that belong to a connection, and not to a request.

/// The client's credentials for a method that authenticates a connection; libcurl executes it by itself.
///
/// Its handshake takes several exchanges on one connection, so we cannot make it of requests.
package struct ConnectionAuthentication: Sendable, Equatable {
    /// The method, which libcurl tries alone.
    package enum Method: Sendable {
        /// NTLM.
        case ntlm
        /// Negotiate: Kerberos, or NTLM within SPNEGO
        /// ([RFC 4559](https://www.rfc-editor.org/rfc/rfc4559)).
        case negotiate
    }

    /// The method.
    package let method: Method
    /// The user; `nil` for Negotiate, since the ticket names the user.
    package let user: String?
    /// The password; `nil` for Negotiate, since the ticket replaces it.
    package let password: Secret?

    /// Sets the method, the user and the password.
    package init(method: Method, user: String?, password: Secret?) {
        self.method = method
        self.user = user
        self.password = password
    }

    /// Compares the user's bytes: two users whose names only look the same are different.
    package static func == (one: Self, other: Self) -> Bool {
        one.method == other.method && one.password == other.password
            && one.user.map { Array($0.utf8) } == other.user.map { Array($0.utf8) }
    }
}

extension ConnectionAuthentication: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method; never the user or the password.
    package var description: String {
        switch method {
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// The same text as ``description``.
    package var debugDescription: String { description }
}

/// The decision about a server after it has sent its certificates.
package enum TrustDecision: Sendable, Hashable {
    /// OpenSSL's verdict decides.
    case byVerdict
    /// The client trusts the server.
    case accept
    /// The client refuses the server.
    case refuse
}
