import FoundationEssentials
import Glibc
import SystemPackage

/// The tickets that Kerberos may have for this user.
package enum KerberosTickets {
    /// Whether Kerberos is installed: libcurl has its library in the process already, or, in the
    /// self-contained edition, loads it when it is first needed.
    package static var canBeUsed: Bool {
        var library = ProcessLibrary("libgssapi_krb5.so.2")
        return library.find("gss_init_sec_context") != nil
    }

    /// Whether there could be one: a request is not sent again for nothing.
    ///
    /// Says yes where they are kept in a place that only Kerberos knows.
    static func mayExist() -> Bool {
        mayBeKept() && canBeUsed
    }

    private static func mayBeKept() -> Bool {
        if let named = getenv("KRB5CCNAME").map({ String(cString: $0) }), !named.isEmpty {
            guard named.startsWithBytes(of: "FILE:") || named.startsWithBytes(of: "/")
            else { return true }
            return exists(named.droppingBytes(of: "FILE:").map(String.init) ?? named)
        }
        return exists("/tmp/krb5cc_\(geteuid())") || isPlaceConfigured()
    }

    /// The realm of the user whose tickets are in the file at hand; `nil` where there is none, or they
    /// are kept elsewhere.
    static func realm() -> [UInt8]? {
        var path = "/tmp/krb5cc_\(geteuid())"
        if let named = getenv("KRB5CCNAME").map({ String(cString: $0) }), !named.isEmpty {
            if named.utf8.first == UInt8(ascii: "/") {
                path = named
            } else if named.utf8.starts(with: "FILE:".utf8) {
                path = String(Substring(named.utf8.dropFirst(5)))
            } else {
                return nil
            }
        }
        // The user's name is at the beginning; nothing else is of interest.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
            return nil
        }
        return realm(inCache: bytes[..<count])
    }

    /// The realm in the head of a ticket cache's file
    /// ([its format](https://web.mit.edu/kerberos/krb5-latest/doc/formats/ccache_file_format.html)),
    /// version 4 or 3; `nil` where it is none.
    static func realm(inCache bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        func number(_ width: Int) -> Int? {
            guard rest.count >= width else { return nil }
            defer { rest = rest.dropFirst(width) }
            // Four bytes at the most: it cannot overflow.
            return rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let version = number(2), version == 0x0504 || version == 0x0503 else { return nil }
        if version == 0x0504 {
            guard let length = number(2), rest.count >= length else { return nil }
            rest = rest.dropFirst(length)
        }
        // The kind of name, and how many parts it has; then the realm.
        guard number(4) != nil, number(4) != nil, let length = number(4), length > 0,
            rest.count >= length
        else { return nil }
        return [UInt8](rest.prefix(length))
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    private static func isPlaceConfigured() -> Bool {
        let path = getenv("KRB5_CONFIG").map { String(cString: $0) } ?? "/etc/krb5.conf"
        guard let content = try? Data(contentsOf: URL(filePath: path)) else { return false }
        return String(decoding: content, as: UTF8.self).contains("default_ccache_name")
    }
}

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

    /// Whether a server belongs to it: `[domain_realm]` assigns it, or, if that has no entry for the
    /// host, its name is the realm's in lower case, or below that.
    ///
    /// - Parameter host: a URL's host, without brackets.
    /// - Returns: whether it does.
    func covers(_ host: String) -> Bool {
        var host = host.utf8.map(\.asciiLowercased)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        guard !host.isEmpty else { return false }
        if let realm = realm(of: host) { return realm == name }
        let domain = name.map(\.asciiLowercased)
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
}

extension KerberosRealm {
    /// The realm of this user, as `krb5.conf` and the ticket cache say; `nil` where they say nothing.
    ///
    /// May wait for the disk.
    static func own() -> KerberosRealm? {
        KerberosRealm(ticket: KerberosTickets.realm(), .own())
    }
}

/// Servers that may get a Kerberos ticket: it names the user, and lets a server begin to act for
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
        var host = host.utf8.map(\.asciiLowercased)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return hosts.contains { named in
            let named = named.utf8.map(\.asciiLowercased)
            guard named.first == UInt8(ascii: ".") else { return host == named }
            return KerberosRealm.isBelow(KerberosRealm.Name(named.dropFirst()), host)
        }
    }
}
