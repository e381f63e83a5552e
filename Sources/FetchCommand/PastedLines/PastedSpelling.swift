/// A flag of curl or wget that is not fetch's own: its meaning here, or why it is refused.
///
/// A spelling with exactly the meaning of one of fetch's flags is one of that flag's names instead.
struct PastedSpelling: Sendable {
    enum Meaning: Sendable {
        /// Replaced by these flags, each followed by its value; empty if fetch does the same by
        /// default.
        case flags([String])
        /// A flag with a value, from which the replacing flags are made.
        case made(placeholder: String, @Sendable (FlagValue, Options) throws -> [String])
        /// Its meaning in the other program, and what to use here.
        case refused(String, hint: String)
    }

    /// Every spelling, with its dashes.
    let names: [String]
    let meaning: Meaning

    /// A switch that is replaced by other flags.
    init(_ names: [String], means flags: [String]) {
        self.names = names
        meaning = .flags(flags)
    }

    /// A flag with a value that is replaced by other flags.
    init(
        _ names: [String],
        value placeholder: String,
        make: @escaping @Sendable (FlagValue, Options) throws -> [String]
    ) {
        self.names = names
        meaning = .made(placeholder: placeholder, make)
    }

    /// A flag that is refused.
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
