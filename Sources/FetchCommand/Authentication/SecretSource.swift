import Glibc
import SystemPackage
import URLLoading

/// The source of a secret: `@FILE`, `@-`, `env:NAME`, `fd:N`, or the text itself.
enum SecretSource: Equatable, Sendable {
    case text(Secret)
    case file(String)
    /// The variable's name.
    case environment(String)
    case descriptor(CInt)

    static var standardInput: SecretSource { .descriptor(STDIN_FILENO) }

    /// Parses the notation; the secret itself is read when the plan is made.
    init(_ value: FlagValue) throws(UsageError) {
        guard !value.text.isEmpty else { throw value.invalidSecret("a value is missing") }
        if value.text == "@-" {
            self = .standardInput
        } else if let path = value.text.droppingBytes(of: "@") {
            self = .file(try value.with(String(path)).path())
        } else if let name = value.text.droppingBytes(of: "env:") {
            guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0) else {
                throw value.invalidSecret("env: needs the name of a variable")
            }
            self = .environment(String(name))
        } else if let number = value.text.droppingBytes(of: "fd:") {
            guard let number = CInt(digits: number) else {
                throw value.invalidSecret("fd: needs the number of a descriptor")
            }
            self = .descriptor(number)
        } else {
            self = .text(Secret(value.text))
        }
    }

    /// Whether a flag's value is the secret itself, and not the name of a source.
    static func isLiteral(_ text: String) -> Bool {
        !["@", "env:", "fd:"].contains { text.startsWithBytes(of: $0) }
    }
}

extension SecretSource {
    /// The maximum length of a secret, in bytes; no password or token is longer.
    private static let longest = 64 << 10

    /// Reads the secret; from a file or a descriptor, the first line.
    ///
    /// It is not empty, and has no control characters. No error shows it.
    func read(_ flag: String) throws(UsageError) -> Secret {
        let bytes: [UInt8]
        switch self {
        case .text(let secret): bytes = Array(secret.text.utf8)
        case .environment(let name):
            guard let value = getenv(name) else {
                throw Self.error(flag, "there is no such environment variable")
            }
            bytes = Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
        case .file(let path):
            do {
                let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
                bytes = try file.closeAfter { try Self.firstLine(of: file) }
            } catch {
                throw .file(path: path, "\(error as? Errno ?? .ioError)")
            }
        case .descriptor(let number):
            let descriptor = FileDescriptor(rawValue: number)
            bytes = try mapError(Self.firstLine(of: descriptor)) { (failure: Errno) in
                Self.error(flag, "descriptor \(number) cannot be read: \(failure)")
            }
        }
        guard !bytes.isEmpty else { throw Self.error(flag, "it is empty") }
        guard bytes.count <= Self.longest else {
            throw Self.error(flag, "it is longer than \(Self.longest) bytes")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Self.error(flag, "it contains control characters")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.error(flag, "it is not UTF-8")
        }
        return Secret(text)
    }

    /// Reads one byte at a time, so that the bytes after the line remain for the next reader.
    private static func firstLine(of file: FileDescriptor) throws(Errno) -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= longest {
            let count = try Errno.only {
                try withUnsafeMutableBytes(of: &byte) { try file.read(into: $0) }
            }
            guard count > 0, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    private static func error(_ flag: String, _ reason: String) -> UsageError {
        .invalidValue(flag: flag, reason: reason)
    }
}
