import FoundationEssentials
import Glibc
import SystemPackage

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
        // The user's name stands at the beginning; nothing else is of interest.
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
