/// A flag of curl or wget that is none of fetch's own: what it means here, or why it means nothing.
///
/// A spelling that means exactly one of fetch's flags is among that flag's names instead.
struct PastedSpelling: Sendable {
    enum Meaning: Sendable {
        /// These flags, each followed by its value, are in its place; none where fetch does the
        /// same without a flag.
        case flags([String])
        /// It has a value, of which such flags are made.
        case made(
            placeholder: String,
            @Sendable (FlagValue, Options) throws(UsageError) -> [String]
        )
        /// What it is there, and what to write here.
        case refused(String, hint: String)
    }

    /// Every spelling, with its dashes.
    let names: [String]
    let meaning: Meaning

    /// A switch that other flags replace.
    init(_ names: [String], means flags: [String]) {
        self.names = names
        meaning = .flags(flags)
    }

    /// A flag with a value, of which other flags are made.
    init(
        _ names: [String],
        value placeholder: String,
        make: @escaping @Sendable (FlagValue, Options) throws(UsageError) -> [String]
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

    /// Every such flag, those that are understood first.
    static let all: [PastedSpelling] = accepted + refused

    /// The meaning of a name that is not a flag of fetch.
    ///
    /// - Returns: the meaning; `nil` where it is no flag of curl's or wget's either.
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
