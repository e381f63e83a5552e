import URLLoading

/// The flags of a configuration file, each with its line.
struct Configuration {
    private struct Entry {
        let number: Int
        let line: ConfigurationLine
        /// The first names of the line's flags; several if letters are combined in a cluster.
        let flags: [String]
    }

    /// Flags that only a command line may have.
    private static let refused: Set = [
        "--config", "--no-config", "--help", "--version", "--input-file", "--url",
    ]

    let path: String
    /// The options from the file alone.
    private(set) var options = Options()
    private var entries: [Entry] = []
    /// Entries that were dropped because the command line contradicts them.
    private var dropped: [Entry] = []
    private var secrets: [ArgumentSecret] = []
    private let isReadableByOthers: Bool

    /// Reads a file's flags; throws `UsageError.configurationLine`.
    init(_ file: ConfigurationFile) throws(UsageError) {
        path = file.path
        isReadableByOthers = file.isReadableByOthers
        let lines = file.bytes.withoutByteOrderMark.split(
            separator: 0x0A,
            omittingEmptySubsequences: false
        )
        for (place, bytes) in lines.enumerated() {
            let number = place + 1
            guard !bytes.contains(0) else { throw lineError(number, "contains a NUL") }
            let bytes = bytes.last == 0x0D ? bytes.dropLast() : bytes
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw lineError(number, "is not UTF-8")
            }
            let line = try mapError(ConfigurationLine(text[...])) {
                (error: ConfigurationLine.ValidationError) in
                lineError(number, error.message, hint: error.hint)
            }
            if let line { try add(line, number) }
        }
        options.configurationPath = path
    }

    private func lineError(_ line: Int, _ message: String, hint: String? = nil) -> UsageError {
        .configurationLine(path: path, line: line, message: message, hint: hint)
    }

    private mutating func add(_ line: ConfigurationLine, _ number: Int) throws(UsageError) {
        let parser = try mapError(
            FlagParser.read(line: line.word, line.value, onto: options)
        ) { (error: UsageError) in lineError(number, error.message, hint: error.hint) }
        if let flag = parser.flags.first(where: Self.refused.contains) {
            throw lineError(number, "\(flag) can only be used on the command line")
        }
        options = parser.options
        secrets += parser.secrets
        entries.append(Entry(number: number, line: line, flags: parser.flags))
    }

    /// Drops the entries with a flag that contradicts the command line.
    mutating func drop(_ flag: String) throws(UsageError) {
        var kept = self
        kept.options = Options()
        kept.entries = []
        kept.secrets = []
        for entry in entries where !entry.flags.contains(flag) {
            try kept.add(entry.line, entry.number)
        }
        kept.dropped += entries.filter { $0.flags.contains(flag) }
        kept.options.configurationPath = path
        self = kept
    }

    func holds(_ flag: String) -> Bool { entries.contains { $0.flags.contains(flag) } }
}

// Messages about the file.
extension Configuration {
    /// The flags in the file whose secrets other users can read.
    var exposedFlags: [String] {
        guard isReadableByOthers else { return [] }
        var flags: [String] = []
        for secret in secrets where secret.range != nil && secret.isPlain {
            if !flags.contains(secret.flag) { flags.append(secret.flag) }
        }
        return flags
    }

    /// The line of `--dry-run` about the file.
    var summary: String {
        let without = dropped.map { "\($0.flags.joined(separator: " ")) (line \($0.number))" }
        let rest = without.isEmpty ? "" : ", without \(without.joined(separator: ", "))"
        return "configuration: \(Printable.text(path))\(rest)\n"
    }

    /// A hint for a conflict: the file's lines that have the flags.
    func hint(for error: UsageError) -> String? {
        guard case .conflict(let one, let other, _) = error else { return nil }
        let places = [one, other].compactMap { side -> String? in
            guard let flag = Flags.first(in: side),
                let entry = entries.last(where: { $0.flags.contains(flag) })
            else { return nil }
            return "\(side) is in \(Printable.text(path)):\(entry.number)"
        }
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }
}

extension Flags {
    /// The first name of the flag with which one side of a conflict begins.
    static func first(in side: String) -> String? {
        side.split(separator: " ").first.flatMap { named(String($0)) }?.names.first
    }
}

extension Printer {
    /// Warns of secrets in a configuration file that others can read.
    func exposed(by configuration: Configuration) {
        let flags = configuration.exposedFlags
        guard !flags.isEmpty else { return }
        let path = Printable.text(configuration.path)
        warning(
            "\(path) can be read by other users, and contains \(flags.joined(separator: ", "))"
                + "; run 'chmod 600 \(path)'"
        )
    }
}

extension Flags {
    static let configuration: [Flag] = [
        Flag(
            ["--config"],
            value: "FILE",
            orders: .all,
            reads: .init { [$0.configurationPath] },
            help: "read flags from FILE before those of the command line",
            details: """
                It replaces the user's own file, `~/.config/fetch/config`, and the one in \
                FETCH_CONFIG. A line has one flag as on the command line, with its value after a \
                blank or =. The value is the rest of the line. Between double quotes it may \
                begin and end with blanks, and `\\"`, `\\\\`, `\\n`, `\\r` and `\\t` have the \
                meaning they have in C. Lines that begin with # are comments. Relative paths \
                start in the current folder. For a flag with a single value, the command line \
                wins. Flags that may be repeated add up. A flag that contradicts one on the \
                command line is ignored. URLs are not allowed. The file must belong to the user \
                or to root, and no other user may be able to write to it.
                """
        ) { options, value in
            let path = try value.path()
            guard path != "-" else {
                throw value.invalid("is not a file; --config reads flags from a file")
            }
            options.configuration = .file(path)
        },
        Flag(
            ["--no-config"],
            orders: .all,
            help: "do not read a configuration file"
        ) { $0.configuration = .none },
    ]
}
