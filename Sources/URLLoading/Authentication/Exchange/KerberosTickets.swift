import FoundationEssentials
import Glibc
import SystemPackage

/// The user's Kerberos tickets.
package enum KerberosTickets {
    /// Whether Kerberos is installed.
    ///
    /// libcurl has already loaded its library, or, in the self-contained edition, loads it on first use.
    package static var canBeUsed: Bool {
        var library = ProcessLibrary("libgssapi_krb5.so.2")
        return library.find("gss_init_sec_context") != nil
    }

    /// Whether a ticket may exist, so that a second request is worthwhile.
    ///
    /// `true` also where the tickets are in a place that only Kerberos can read.
    static func mayExist() -> Bool {
        guard let (path, isNamed) = file else { return canBeUsed }
        // Another user may have made a FIFO with the usual name; libkrb5 would wait for its writer.
        let mayBeKept =
            isNamed
            ? access(path, F_OK) == 0 : FileStatus(path)?.isOurs == true || isPlaceConfigured()
        return mayBeKept && canBeUsed
    }

    /// The cache file that `KRB5CCNAME` names, or the usual one; `nil` for a cache of another type.
    private static var file: (path: String, isNamed: Bool)? {
        guard let named = Environment.value(of: "KRB5CCNAME")?.nonEmpty else {
            return ("/tmp/krb5cc_\(geteuid())", false)
        }
        if named.startsWithBytes(of: "/") { return (named, true) }
        return named.droppingBytes(of: "FILE:").map { (String($0), true) }
    }

    /// The realm of the user's ticket cache file; `nil` where no file exists, or the cache is of
    /// another type.
    static func realm() -> [UInt8]? {
        guard let (path, isNamed) = file, let (file, status) = try? FileStatus.open(path) else {
            return nil
        }
        defer { try? file.close() }
        // Another user may have made the file with the usual name.
        guard isNamed || status.isOwned else { return nil }
        // The beginning of the file contains the user's name; we do not need the rest.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
            return nil
        }
        return realm(inCache: bytes[..<count])
    }

    /// The realm in the header of a ticket cache file ([its
    /// format](https://web.mit.edu/kerberos/krb5-latest/doc/formats/ccache_file_format.html)), version
    /// 4 or 3; `nil` where the file is not one.
    static func realm(inCache bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        func number(_ width: Int) -> Int? {
            guard rest.count >= width else { return nil }
            defer { rest = rest.dropFirst(width) }
            // At most four bytes, so the value cannot overflow.
            return rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let version = number(2), version == 0x0504 || version == 0x0503 else { return nil }
        if version == 0x0504 {
            guard let length = number(2), rest.count >= length else { return nil }
            rest = rest.dropFirst(length)
        }
        // The type of the name, the number of its parts, and then the realm.
        guard number(4) != nil, number(4) != nil, let length = number(4), length > 0,
            rest.count >= length
        else { return nil }
        return [UInt8](rest.prefix(length))
    }

    private static func isPlaceConfigured() -> Bool {
        KerberosConfiguration.paths.contains { path in
            guard let content = KerberosConfiguration.content(of: path) else { return false }
            return String(decoding: content, as: UTF8.self).contains("default_ccache_name")
        }
    }
}

/// The realm of the user's Kerberos tickets, and its hosts.
///
/// Names are bytes, in lower case except for realms: we treat two spellings of a host as different hosts.
struct KerberosRealm: Sendable, Hashable {
    typealias Name = [UInt8]

    private let name: Name
    /// Hosts, and domains with a leading dot, with their realms from `[domain_realm]`.
    private let realms: [Name: Name]

    /// Uses the ticket's realm, or else the default realm; `nil` where there is neither.
    init?(ticket: Name?, _ configuration: KerberosConfiguration) {
        guard let name = ticket ?? configuration.defaultRealm, !name.isEmpty else { return nil }
        self.name = name
        realms = configuration.realms
    }

    /// Whether a server belongs to the realm, by a URL's host without brackets.
    ///
    /// `[domain_realm]` assigns the host to the realm. Without an entry, the host's name must be the
    /// realm's in lower case, or below that.
    func covers(_ host: String) -> Bool {
        var host = host.utf8.map(\.asciiLowercased)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        guard !host.isEmpty, host.count <= HSTSHosts.longestName else { return false }
        if let realm = realm(of: host) { return realm == name }
        let domain = name.map(\.asciiLowercased)
        return host == domain || Self.isBelow(domain, host)
    }

    /// The realm of a host in `[domain_realm]`, the nearest name first: `a.b.c`, `.b.c`, `b.c`, `.c`,
    /// `c`, in Kerberos's order.
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

/// Decides which servers receive a Kerberos ticket, which names the user and lets a server act for the user.
///
/// It reads no file before a server sends a challenge.
struct TicketPolicy: Sendable {
    let use: URLSessionConfiguration.TicketUse
    /// The realm of the user's ticket cache, or of `krb5.conf`; may wait for the disk.
    var realm: @Sendable () -> KerberosRealm? = {
        KerberosRealm(ticket: KerberosTickets.realm(), .own())
    }
    /// Whether Kerberos could have a ticket; may wait for the disk.
    var mayHaveTicket: @Sendable () -> Bool = { KerberosTickets.mayExist() }

    /// Whether a ticket may exist, and the server may receive it; a proxy may, because the user chose it.
    func shows(to space: URLProtectionSpace) -> Bool {
        guard mayHaveTicket() else { return false }
        if space.isProxy() || use.names(space.host) { return true }
        return use.includesOwnRealm && realm()?.covers(space.host) == true
    }
}

extension URLSessionConfiguration.TicketUse {
    /// Whether the host is one of the listed hosts, or below a listed domain.
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
