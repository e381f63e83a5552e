import Glibc

/// The command line's arguments.
enum Arguments {
    /// Those of this process, without its name.
    ///
    /// Swift's own list repairs invalid UTF-8, which would send other bytes than given, and write
    /// another file. Throws `UsageError.notUTF8`.
    static func ofProcess() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[number] else { break }
            guard let argument = String(validatingCString: bytes) else {
                throw .notUTF8(position: number)
            }
            arguments.append(argument)
        }
        return arguments
    }

    /// Writes over the secrets in this process's own list of arguments, which every process can
    /// read in `/proc/PID/cmdline`, and says which flags brought them.
    ///
    /// Other users could read them before that, so the user is warned.
    static func hide(_ secrets: [ArgumentSecret]) -> [String] {
        var flags: [String] = []
        for secret in secrets {
            guard let range = secret.range, secret.argument + 1 < Int(CommandLine.argc),
                let bytes = CommandLine.unsafeArgv[secret.argument + 1],
                range.upperBound <= strlen(bytes)
            else { continue }
            memset(bytes + range.lowerBound, CInt(UInt8(ascii: "*")), range.count)
            if secret.isPlain, !flags.contains(secret.flag) { flags.append(secret.flag) }
        }
        return flags
    }
}

/// An argument that holds a secret, or may hold one.
struct ArgumentSecret: Equatable, Sendable {
    /// Its place among the arguments, from 0 without the program's name.
    let argument: Int
    /// Where in it the flag's value begins, in bytes: 2 in `-uNAME:PASSWORD`.
    let offset: Int
    /// What holds it, for people: `--user`, or "a URL".
    let flag: String
    let part: SecretPart
    /// The value, as it was given.
    let value: String

    /// Its bytes within the argument; `nil` if there are none.
    ///
    /// To be used after the whole command line was read: a later flag may declare a secret.
    var range: Range<Int>? {
        part.range(in: value).map { $0.lowerBound + offset..<$0.upperBound + offset }
    }

    /// Whether it deserves a warning: the user alone in a URL may be a token, but seldom is.
    var isPlain: Bool {
        guard case .userInfo = part, let range = part.range(in: value) else { return true }
        return value.utf8.dropFirst(range.lowerBound).prefix(range.count)
            .contains(UInt8(ascii: ":"))
    }
}

extension ArgumentSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the value.
    var description: String { flag }
    var debugDescription: String { flag }
}

/// The part of a flag's value that other users should not see.
enum SecretPart: Sendable {
    case none
    /// All of it, unless it only names the secret's source.
    case value
    /// What follows the colon of `NAME:PASSWORD`.
    case userPassword
    /// The user and password of a URL.
    case userInfo
    /// The value of a header line that is a credential.
    case header

    /// The bytes of a value that are secret; `nil` where none are.
    func range(in value: String) -> Range<Int>? {
        let bytes = value.utf8
        func place(_ index: String.Index) -> Int {
            bytes.distance(from: bytes.startIndex, to: index)
        }
        switch self {
        case .none: return nil
        case .value:
            return SecretSource.isLiteral(value) && !value.isEmpty ? 0..<bytes.count : nil
        case .userPassword:
            guard SecretSource.isLiteral(value),
                let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return Self.nonEmpty(place(colon) + 1..<bytes.count)
        case .userInfo:
            let start = URLScanner.schemeEnd(of: value[...])?.upperBound ?? value.startIndex
            let authority = value[start...].utf8.prefix { !"/?#".utf8.contains($0) }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
            return Self.nonEmpty(place(start)..<place(at))
        case .header:
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                Redaction.isSecret(header: String(value[..<colon])),
                value.utf8.first != UInt8(ascii: "@"),
                !HeaderVariables.isUsed(in: value[colon...].dropFirst())
            else { return nil }
            return Self.nonEmpty(place(colon) + 1..<bytes.count)
        }
    }

    private static func nonEmpty(_ range: Range<Int>) -> Range<Int>? {
        range.isEmpty ? nil : range
    }
}
