import FoundationEssentials
import Glibc

/// The realm of the user's Kerberos tickets, and the hosts that count to it.
///
/// Names are bytes, in lower case but for realms: no two spellings of a host are taken for one.
struct KerberosRealm: Sendable, Hashable {
    typealias Name = [UInt8]

    private let name: Name
    /// Hosts, and domains with a dot before them, with the realms that `[domain_realm]` names.
    private let realms: [Name: Name]

    /// Takes the ticket's realm, or else the default one; `nil` where there is neither.
    ///
    /// - Parameters:
    ///   - ticket: the realm of the ticket at hand; `nil`: the configuration's default.
    ///   - configuration: what `krb5.conf` says.
    init?(ticket: Name?, _ configuration: KerberosConfiguration) {
        guard let name = ticket ?? configuration.defaultRealm, !name.isEmpty else { return nil }
        self.name = name
        realms = configuration.realms
    }

    /// Whether a server counts to it: `[domain_realm]` says so, or where that says nothing of the
    /// host, its name is the realm's in lower case, or below that.
    ///
    /// - Parameter host: a URL's host, without brackets.
    /// - Returns: whether it does.
    func covers(_ host: String) -> Bool {
        var host = Name(host.utf8).map(Self.lowered)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        guard !host.isEmpty else { return false }
        if let realm = realm(of: host) { return realm == name }
        let domain = name.map(Self.lowered)
        return host == domain || Self.isBelow(domain, host)
    }

    /// What `[domain_realm]` says, the nearest name first: `a.b.c`, `.b.c`, `b.c`, `.c`, `c`, as
    /// Kerberos itself looks.
    private func realm(of host: Name) -> Name? {
        var rest = host[...]
        while !rest.isEmpty {
            if let realm = realms[Name(rest)] { return realm }
            guard rest.first != UInt8(ascii: ".") else {
                rest = rest.dropFirst()
                continue
            }
            guard let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            rest = rest[dot...]
        }
        return nil
    }

    static func isBelow(_ domain: Name, _ host: Name) -> Bool {
        host.count > domain.count + 1 && host.suffix(domain.count).elementsEqual(domain)
            && host[host.count - domain.count - 1] == UInt8(ascii: ".")
    }

    static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension KerberosRealm {
    /// The realm of this user, as `krb5.conf` and the ticket cache say; `nil` where they say nothing.
    ///
    /// May wait for the disk.
    static func own() -> KerberosRealm? {
        KerberosRealm(ticket: KerberosTickets.realm(), .own())
    }
}
