import FoundationEssentials
import Glibc

/// The tickets that Kerberos may have for this user.
enum KerberosTickets {
    /// Whether there could be one: a request is not sent again for nothing.
    ///
    /// Says yes where they are kept in a place that only Kerberos knows.
    static func mayExist() -> Bool {
        if let named = getenv("KRB5CCNAME").map({ String(cString: $0) }), !named.isEmpty {
            guard named.startsWithBytes(of: "FILE:") || named.startsWithBytes(of: "/")
            else { return true }
            return exists(named.droppingBytes(of: "FILE:").map(String.init) ?? named)
        }
        return exists("/tmp/krb5cc_\(geteuid())") || isPlaceConfigured()
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
