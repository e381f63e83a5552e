import CurlMulti

/// Hosts by the names that servers know them by.
package enum CanonicalHost {
    /// A URL's host in lower case, in IDNA's ASCII where it has other letters.
    package static func name(_ host: String) -> String {
        known(host) ?? host.asciiLowercased
    }

    /// The same; `nil` where the host has other letters, and is the name of no server.
    package static func known(_ host: String) -> String? {
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
        guard !isASCII, !host.utf8.contains(UInt8(ascii: ":")) else {
            return host.asciiLowercased
        }
        return InternationalName.ascii(host)
    }
}
