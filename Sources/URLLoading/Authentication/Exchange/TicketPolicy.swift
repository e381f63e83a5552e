/// Whom a Kerberos ticket is shown to: it says who the user is, and lets a server begin to act for
/// him.
///
/// Nothing is read before a server asks for one.
struct TicketPolicy: Sendable {
    let use: URLSessionConfiguration.TicketUse
    /// The realm of the user's tickets; may wait for the disk.
    var realm: @Sendable () -> KerberosRealm? = { KerberosRealm.own() }
    /// Whether Kerberos could have a ticket; may wait for the disk.
    var mayHaveTicket: @Sendable () -> Bool = { KerberosTickets.mayExist() }

    /// Whether there could be a ticket, and the server or the proxy that asks is to see it.
    ///
    /// A proxy is: the user has named it himself.
    func shows(to space: URLProtectionSpace) -> Bool {
        guard mayHaveTicket() else { return false }
        if space.isProxy() || use.names(space.host) { return true }
        return use.includesOwnRealm && realm()?.covers(space.host) == true
    }
}

extension URLSessionConfiguration.TicketUse {
    /// Whether one of its hosts and domains is meant.
    func names(_ host: String) -> Bool {
        var host = KerberosRealm.Name(host.utf8).map(KerberosRealm.lowered)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return hosts.contains { named in
            let named = named.utf8.map(KerberosRealm.lowered)
            guard named.first == UInt8(ascii: ".") else { return host == named }
            return KerberosRealm.isBelow(KerberosRealm.Name(named.dropFirst()), host)
        }
    }
}
