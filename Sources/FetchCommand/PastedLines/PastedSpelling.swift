/// A flag of curl or wget that is not fetch's own: its meaning here, or why it is refused.
///
/// A spelling with exactly the meaning of one of fetch's flags is one of that flag's names instead.
struct PastedSpelling: Sendable {
    enum Meaning: Sendable {
        /// Replaced by these flags and their values; none if fetch does the same by default.
        case flags([String])
        /// A flag with a value, from which the replacing flags are made.
        case made(placeholder: String, @Sendable (FlagValue, Options) throws -> [String])
        /// Its meaning in the other program, and what to use here.
        case refused(String, hint: String)
    }

    /// Every spelling, with its dashes.
    let names: [String]
    let meaning: Meaning

    init(_ names: [String], means flags: [String]) {
        self.names = names
        meaning = .flags(flags)
    }

    init(
        _ names: [String],
        value placeholder: String,
        make: @escaping @Sendable (FlagValue, Options) throws -> [String]
    ) {
        self.names = names
        meaning = .made(placeholder: placeholder, make)
    }

    init(_ names: [String], reason: String, hint: String = PastedSpelling.nothing) {
        self.names = names
        meaning = .refused(reason, hint: hint)
    }

    static let nothing = "fetch has no such flag"
    static let recursion = "recursion is not part of fetch"

    /// All spellings; accepted ones come first.
    static let all: [PastedSpelling] = accepted + refused

    /// The meaning of a name that is not fetch's; `nil` if neither curl nor wget has the flag.
    static func named(_ name: String) -> PastedSpelling? {
        if let spelling = all.first(where: { $0.names.contains(name) }) { return spelling }
        let families = [
            ("--ftp-", "part of FTP", "only http, https, file and data can be fetched"),
            ("--mail-", "part of sending mail", "only http and https are supported"),
            ("--warc-", "part of wget's archives", PastedSpelling.nothing),
        ]
        return families.first { name.utf8.starts(with: $0.0.utf8) }
            .map { PastedSpelling([name], reason: $0.1, hint: $0.2) }
    }
}

extension Flags {
    /// Flags of curl that state fetch's default, so that pasted commands work.
    static let compatibility: [Flag] = [
        habit(["--fail", "-f"], "errors are always reported"),
        habit(["--location", "-L"], "redirects are followed"),
        habit(["--remote-time", "-R"], "files keep the server's time"),
        habit(["--show-error"], "errors are always shown"),
        Flag(
            ["--silent", "-s", "-sS"],
            orders: .all,
            help: "show no progress"
        ) { $0.hidesProgress = true },
    ]

    private static func habit(_ names: [String], _ words: String) -> Flag {
        Flag(names, orders: .all, help: "do nothing: \(words)") { _ in }
    }
}

/// The meaning here of another program's flag, for the tables in the manual.
package struct PastedReading: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The flags that it sets, each by its first name, sorted.
        case means([String])
        /// Its meaning in the other program, and what to use here.
        case refused(String, hint: String?)
        /// The flag is supported, but not this value.
        case refusedValue(String, hint: String?)
        case unknown
    }

    package let verdict: Verdict
    /// The arguments that replace a flag which is not fetch's own; `nil`: it is fetch's own.
    package let words: [String]?

    /// Parses a flag with a URL, as the command line's parser does; `neighbours` come before it.
    package init(_ name: String, _ value: String?, after neighbours: [String] = []) {
        words = Self.words(name, value)
        let arguments = neighbours + [name] + [value].compactMap(\.self)
        do throws(UsageError) {
            let given = try FlagParser.parse(arguments + ["https://example.org/x"]).given
            let others = try FlagParser.parse(neighbours).given
            verdict = .means(given.subtracting(others).sorted())
        } catch .foreignFlag(_, let reason, let hint) {
            verdict = .refused(reason, hint: hint)
        } catch .unknownFlag {
            verdict = .unknown
        } catch {
            verdict = .refusedValue(error.message, hint: error.hint)
        }
    }

    private static func words(_ name: String, _ value: String?) -> [String]? {
        guard Flags.named(name) == nil else { return nil }
        switch PastedSpelling.named(name)?.meaning {
        case .flags(let words): return words
        case .made(_, let make):
            return try? make(FlagValue(flag: name, text: value ?? ""), Options())
        case .refused, nil: return nil
        }
    }
}
