/// A `.netrc` file: users and passwords by machine, in the format of ftp(1), as curl reads it.
///
/// Each entry is independent: an entry without a password never uses that of another entry or of `default`.
package struct Netrc: Sendable, Equatable {
    /// The entry of one `machine` or `default`.
    package struct Entry: Sendable, Equatable {
        /// The machine in lower case; `nil`: `default`.
        package let machine: String?
        package fileprivate(set) var login: String?
        package fileprivate(set) var password: Secret?
        /// The line on which the entry begins, from 1.
        package let line: Int
    }

    package let entries: [Entry]

    /// Parses the text.
    ///
    /// Keywords are case-insensitive. A value with spaces, a leading `#`, or an escape (`\"`, `\\`, `\n`,
    /// `\r`, `\t`) is in double quotes. A `#` at the beginning of a word starts a comment up to the line's
    /// end. The parser skips `account` with its value, and `macdef` with all lines up to an empty one.
    ///
    /// Throws `NetrcError`. We cannot interpret text after an error safely, so we use no entry.
    package init(_ text: some Sequence<UInt8>) throws(NetrcError) {
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
                // An unknown word may be a new keyword: ftp(1) and curl ignore it.
                break
            }
        }
        self.entries = entries
    }

    /// The entry for a host: the first of its machine, or else `default`.
    ///
    /// - Parameters:
    ///   - host: a name in any case, or an address; an IPv6 address with or without brackets.
    ///   - login: the required user; `nil`: any. An entry with only a password matches each user.
    /// - Returns: an entry, which may have no password.
    package func entry(for host: String, login: String? = nil) -> Entry? {
        let host = host.asciiLowercased.withoutBrackets
        let own = entries.filter { $0.machine?.hasBytes(of: host) == true }
        let candidates = own.isEmpty ? entries.filter { $0.machine == nil } : own
        guard let login else { return candidates.first }
        return candidates.first { $0.login?.hasBytes(of: login) == true }
            ?? candidates.first { $0.login == nil && $0.password != nil }
    }
}

/// A syntax error in a `.netrc`; the first line is 1.
package enum NetrcError: Error, Sendable, Hashable {
    /// A quote or an escape is not closed on its line.
    case openQuote(line: Int)
    /// A keyword at the end of the file.
    case missingValue(line: Int)
    /// A word is not UTF-8, or has a NUL in it.
    case notText(line: Int)
}

extension NetrcError: CustomStringConvertible {
    /// The error as text, without words of the file.
    package var description: String {
        switch self {
        case .openQuote(let line): "line \(line): a quote is not closed"
        case .missingValue(let line): "line \(line): a keyword without its value"
        case .notText(let line): "line \(line): a word that is not UTF-8"
        }
    }
}

/// The words of a `.netrc`, one by one.
struct NetrcWords {
    struct Word {
        let text: String
        /// From 1.
        let line: Int
        let isQuoted: Bool

        /// The keyword; a word in quotes is none.
        var keyword: String { isQuoted ? "" : text.asciiLowercased }
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = Array(bytes.withoutByteOrderMark)
    }

    /// The next word; `nil` at the end.
    mutating func next() throws(NetrcError) -> Word? {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                index += 1
                line += 1
            case let byte where byte.isSpace: index += 1
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "\""): return try quoted()
            default: return try plain()
            }
        }
        return nil
    }

    mutating func value(of keyword: Word) throws(NetrcError) -> Word {
        guard let value = try next() else { throw .missingValue(line: keyword.line) }
        return value
    }

    /// Skips the lines of a macro, up to an empty one or the end.
    mutating func skipMacro() {
        skipLine()
        while peek != nil {
            index += 1
            line += 1
            let start = index
            skipLine()
            if bytes[start..<index].allSatisfy({ $0 == UInt8(ascii: "\r") }) { return }
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips to the end of the line, and leaves the line feed.
    private mutating func skipLine() {
        while let byte = peek, byte != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func plain() throws(NetrcError) -> Word {
        let start = index
        while let byte = peek, !byte.isSpace { index += 1 }
        return try word(Array(bytes[start..<index]), isQuoted: false)
    }

    private mutating func quoted() throws(NetrcError) -> Word {
        index += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\n") {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try word(value, isQuoted: true)
            case UInt8(ascii: "\\"):
                guard let escaped = peek, escaped != UInt8(ascii: "\n") else {
                    throw .openQuote(line: line)
                }
                index += 1
                switch escaped {
                case UInt8(ascii: "n"): value.append(0x0A)
                case UInt8(ascii: "r"): value.append(0x0D)
                case UInt8(ascii: "t"): value.append(0x09)
                default: value.append(escaped)
                }
            default: value.append(byte)
            }
        }
        throw .openQuote(line: line)
    }

    private func word(_ bytes: [UInt8], isQuoted: Bool) throws(NetrcError) -> Word {
        // A repaired text would be another password.
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .notText(line: line)
        }
        return Word(text: text, line: line, isQuoted: isQuoted)
    }
}
