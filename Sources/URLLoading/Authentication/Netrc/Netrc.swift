/// A `.netrc`: users and passwords by machine, in the format of ftp(1), as curl reads it.
///
/// Each entry stands for itself: an entry without a password never takes that of another, and never
/// that of `default`.
package struct Netrc: Sendable, Equatable {
    /// What one `machine` or `default` has.
    package struct Entry: Sendable, Equatable {
        /// The machine in lower case; `nil`: `default`.
        package let machine: String?
        package fileprivate(set) var login: String?
        package fileprivate(set) var password: Secret?
        /// The line it begins on, counted from 1.
        package let line: Int
    }

    /// The entries in their order.
    package let entries: [Entry]

    /// Reads the text.
    ///
    /// Keywords are known in any case. A value with spaces, a `#` at its beginning, or an escape
    /// (`\"`, `\\`, `\n`, `\r`, `\t`) stands in double quotes. A `#` where a word would begin makes
    /// the rest of its line a comment. `account` is passed over with its value, and `macdef` with
    /// all lines up to an empty one.
    ///
    /// Throws `NetrcFlaw`: what follows a flaw could be anything, so nothing of the file is used.
    package init(_ text: some Sequence<UInt8>) throws(NetrcFlaw) {
        var words = NetrcWords(Array(text))
        var entries: [Entry] = []
        while let word = try words.next() {
            switch word.keyword {
            case "machine":
                let name = try words.value(of: word).text.asciiLowercased
                entries.append(Entry(machine: name, line: word.line))
            case "default": entries.append(Entry(machine: nil, line: word.line))
            case "login", "user":
                let value = try words.value(of: word).text
                if let last = entries.indices.last, entries[last].login == nil {
                    entries[last].login = value
                }
            case "password", "passwd":
                let value = try words.value(of: word).text
                if let last = entries.indices.last, entries[last].password == nil {
                    entries[last].password = Secret(value)
                }
            case "account": _ = try words.value(of: word)
            case "macdef":
                _ = try words.value(of: word)
                words.skipMacro()
            default:
                // A word that nobody knows may be a new keyword: ftp(1) and curl pass it over.
                break
            }
        }
        self.entries = entries
    }

    /// The entry for a host: the first of its machine's, or else `default`.
    ///
    /// - Parameters:
    ///   - host: a name in any case, or an address; an IPv6 address with or without brackets.
    ///   - login: the user that is wanted; `nil`: any. An entry with a password alone serves each user.
    /// - Returns: an entry; its password may still be missing.
    package func entry(for host: String, login: String? = nil) -> Entry? {
        let host = host.asciiLowercased.unbracketed
        let own = entries.filter { $0.machine?.hasBytes(of: host) == true }
        let candidates = own.isEmpty ? entries.filter { $0.machine == nil } : own
        guard let login else { return candidates.first }
        return candidates.first { $0.login?.hasBytes(of: login) == true }
            ?? candidates.first { $0.login == nil && $0.password != nil }
    }
}
