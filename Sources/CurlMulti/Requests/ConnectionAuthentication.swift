/// A method that proves a connection and not a request: libcurl carries it out by itself.
///
/// Its handshake takes several exchanges, all of which must happen on one connection, so it cannot
/// be made of hops.
public struct ConnectionAuthentication: Sendable, Hashable {
    /// The method, which libcurl tries alone.
    public enum Method: Sendable, Hashable {
        /// NTLM.
        case ntlm
        /// Negotiate: Kerberos, or NTLM within SPNEGO
        /// ([RFC 4559](https://www.rfc-editor.org/rfc/rfc4559)).
        case negotiate
    }

    /// How it is proved.
    public var method: Method
    /// Who; `nil` with Negotiate: whoever the ticket says.
    public var user: String?
    /// The password; `nil` with Negotiate: the ticket serves.
    public var password: String?

    /// Names the method and the user.
    public init(method: Method, user: String?, password: String?) {
        self.method = method
        self.user = user
        self.password = password
    }
}

extension ConnectionAuthentication: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method; never the user or the password.
    public var description: String {
        switch method {
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// The same.
    public var debugDescription: String { description }
}
