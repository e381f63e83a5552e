import Glibc

enum Arguments {
    /// This process's arguments, without the program's name.
    ///
    /// Swift's `CommandLine.arguments` repairs invalid UTF-8, which would change the bytes to send
    /// or the file to write. Throws `UsageError.notUTF8`.
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

    /// Overwrites the secrets in `/proc/PID/cmdline`; returns their flags, for a warning.
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
    /// Index among the arguments, from 0, without the program's name.
    let argument: Int
    /// Where the flag's value begins in the argument, in bytes: 2 in `-uNAME:PASSWORD`.
    let offset: Int
    /// The flag's name for messages: `--user`, or "a URL".
    let flag: String
    let part: SecretPart
    let value: String

    /// The secret's bytes in the argument, if any; valid once the whole command line was read.
    var range: Range<Int>? {
        part.range(in: value).map { $0.lowerBound + offset..<$0.upperBound + offset }
    }

    /// Whether to warn of the secret; a URL's user without a password is seldom a token.
    var isPlain: Bool {
        guard case .userInfo = part, let range = part.range(in: value) else { return true }
        return value.utf8.dropFirst(range.lowerBound).prefix(range.count)
            .contains(UInt8(ascii: ":"))
    }
}

extension ArgumentSecret: CustomStringConvertible {
    /// The flag's name, never the value.
    var description: String { flag }
}

/// The part of a flag's value that other users should not see.
enum SecretPart: Sendable {
    /// The whole value, unless it only names the secret's source.
    case value
    /// The text after the colon of `NAME:PASSWORD`.
    case userPassword
    /// The user and password of a URL.
    case userInfo
    /// The value of a header line, if the field is a credential.
    case header

    /// The bytes of a value that are secret; `nil` if there are none.
    func range(in value: String) -> Range<Int>? {
        let bytes = value.utf8
        func place(_ index: String.Index) -> Int {
            bytes.distance(from: bytes.startIndex, to: index)
        }
        switch self {
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

    private static func nonEmpty(_ range: Range<Int>) -> Range<Int>? { range.isEmpty ? nil : range }
}
