import URLLoading

/// One flag, documented in its declaration and nowhere else.
///
/// The parser, `--help`, the suggestions for misspelled flags, the man page and the completions are
/// made from these declarations.
///
/// A class, because the table of all flags is built at each start: 200 references are cheaper than
/// 200 values of 20 words.
package final class Flag: Sendable {
    /// How the flag changes the options; every error is a `UsageError`.
    enum Action: Sendable {
        case turnOn(@Sendable (inout Options) throws -> Void)
        case takeValue(@Sendable (inout Options, FlagValue) throws -> Void)
    }

    /// Flags that this one cannot be combined with, and why; one of the two sides declares it.
    struct Exclusion: Sendable {
        /// One name for each flag, as messages show it.
        let flags: [String]
        let reason: String
        /// This flag's name in messages; `nil`: its first name.
        let name: String?

        init(_ flags: String..., as name: String? = nil, because reason: String) {
            self.flags = flags
            self.reason = reason
            self.name = name
        }
    }

    /// The orders (actions that fetch nothing) with which the flag may be combined.
    enum Orders: Sendable {
        case none
        /// `--attach`, which reports background tasks and prompts for passwords.
        case attach
        case all
    }

    /// Files that a flag names, as paths in the options.
    struct Files: Sendable {
        let paths: @Sendable (Options) -> [String?]
    }

    /// Every spelling, with its dashes: `--output`, `-O`, `-nv`; help shows the first long name.
    package let names: [String]
    /// The name of the value in help; `nil` for a switch.
    package let placeholder: String?
    /// The kind, if the placeholder does not tell it.
    private let ownKind: FlagValueKind?
    /// Whether repeated values are collected; otherwise the last one applies.
    package let repeats: Bool
    let excludes: [Exclusion]
    /// Why a background session refuses the flag; `nil`: it obeys, or the flag has no effect.
    let refusal: BackgroundRefusal?
    let orders: Orders
    /// The files that the flag reads, except bodies; the command must not write to them.
    let reads: Files?
    /// The section, if it is not that of the list which declares the flag.
    private let ownSection: FlagSection?
    /// One line, which starts with a verb and has no full stop.
    package let help: String
    /// What the man page says besides `help`; literal text, except flags, is between backquotes.
    package let details: String
    /// The part of the value that other users should not see.
    let secret: SecretPart?
    let action: Action

    init(
        _ names: [String],
        excludes: Exclusion...,
        background refusal: BackgroundRefusal? = nil,
        orders: Orders = .none,
        section: FlagSection? = nil,
        help: String,
        details: String = "",
        turnOn: @escaping @Sendable (inout Options) throws -> Void
    ) {
        self.names = names
        self.placeholder = nil
        ownKind = nil
        self.repeats = false
        self.excludes = excludes
        self.refusal = refusal
        self.orders = orders
        self.reads = nil
        ownSection = section
        self.help = help
        self.details = details
        self.secret = nil
        self.action = .turnOn(turnOn)
    }

    init(
        _ names: [String],
        value placeholder: String,
        kind: FlagValueKind? = nil,
        repeats: Bool = false,
        excludes: Exclusion...,
        background refusal: BackgroundRefusal? = nil,
        orders: Orders = .none,
        reads: Files? = nil,
        secret: SecretPart? = nil,
        section: FlagSection? = nil,
        help: String,
        details: String = "",
        apply: @escaping @Sendable (inout Options, FlagValue) throws -> Void
    ) {
        self.names = names
        self.placeholder = placeholder
        ownKind = kind
        self.repeats = repeats
        self.excludes = excludes
        self.refusal = refusal
        self.orders = orders
        self.reads = reads
        ownSection = section
        self.help = help
        self.details = details
        self.secret = secret
        self.action = .takeValue(apply)
    }

    package var kind: FlagValueKind {
        if let ownKind { return ownKind }
        return switch placeholder {
        case "FILE", "FILE|URL", "DATE|FILE", "HASHES|FILE", "LOG", "PATH", "CMD": .file
        case "DIR": .directory
        case "N", "BYTES": .number
        case "SECONDS": .seconds
        case "SIZE", "RATE": .byteSize
        case "URL": .url
        default: .text
        }
    }

    package var section: FlagSection {
        let declaring = FlagSection.allCases.first { $0.flags.contains { $0 === self } }
        return ownSection ?? declaring ?? .task
    }

    /// Names with two dashes, without the dashes.
    package var longNames: [String] {
        names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    }

    /// Single letters, which may be combined in one argument.
    package var letters: [Character] { names.filter { $0.utf8.count == 2 }.compactMap(\.last) }

    /// Words with one dash, without the dash: `nv`.
    package var singleDashNames: [String] {
        names.filter { !$0.hasPrefix("--") && $0.utf8.count > 2 }.map { String($0.dropFirst()) }
    }

    package func isExcluded(by other: Flag) -> Bool {
        excludes.contains { $0.flags.contains(where: other.names.contains) }
            || other.excludes.contains { $0.flags.contains(where: names.contains) }
    }
}

/// The groups in which `--help` and the man page list the flags, in their order.
package enum FlagSection: String, CaseIterable, Sendable {
    case task = "Task"
    case background = "Background"
    case request = "The request"
    case authentication = "Authentication"
    case session = "Session"
    case cookies = "Cookies"
    case tls = "TLS"
    case proxy = "Proxy"
    case redirects = "Redirects"
    case retries = "Continuing and retrying"
    case messages = "Messages"
    case compatibility = "Compatibility with curl"

    /// The lists that belong here; a few of their flags name another section.
    var flags: [Flag] {
        switch self {
        case .task:
            Flags.task + Flags.many + Flags.naming + Flags.conditions + Flags.integrity + Flags.body
                + Flags.spool + Flags.responses
        case .background: Flags.background
        case .request: Flags.request + Flags.content
        case .authentication: Flags.authentication
        case .session:
            Flags.session + Flags.sessions + Flags.splitting + Flags.configuration + Flags.cache
                + Flags.network
        case .cookies: Flags.cookies
        case .tls: Flags.tls + Flags.strictTransport
        case .proxy: Flags.proxy
        case .redirects: Flags.redirects
        case .retries: Flags.retries + Flags.connectivity
        case .messages: Flags.messages + Flags.reports + Flags.events
        case .compatibility: Flags.compatibility
        }
    }
}

/// The kind of a flag's value, for completion in shells.
package enum FlagValueKind: Equatable, Sendable {
    /// Text that a shell cannot complete.
    case text
    /// A file, or `-` for a standard stream if the help says so.
    case file
    case directory
    /// Text, or `@` and a file.
    case data
    /// `NAME=` and text, or `NAME=@` and a file.
    case formField
    case number
    case seconds
    case byteSize
    /// One of these words, and no other.
    case choice([String])
    /// Any word; these are suggestions.
    case suggestion([String])
    /// A word that begins with one of these.
    case beginning([String])

    package static let url = beginning(["http://", "https://"])
}

/// All flags, by section; a file of its own declares the flags of each section.
package enum Flags {
    /// All flags, in the order of help.
    package static let all: [Flag] =
        task + many + background + naming + conditions + integrity + body + spool + request
        + content + responses
        + authentication + session + sessions + splitting + configuration + cache + network
        + cookies + tls
        + strictTransport + proxy + redirects + retries + connectivity + messages + reports + events
        + compatibility

    /// The flag of this spelling, dashes included.
    package static func named(_ name: String) -> Flag? { all.first { $0.names.contains(name) } }
}

/// A file that a flag names, and that the command reads, or updates in place.
struct InputFile: Equatable, Sendable {
    let flag: String
    let path: String
}

/// A file that a flag names, or standard input.
enum InputPath: Equatable, Sendable {
    case file(String)
    /// `-`
    case standardInput

    /// Parses a path, where `-` is standard input.
    init(_ value: FlagValue) throws(UsageError) {
        let path = try value.path()
        self = path == "-" ? .standardInput : .file(path)
    }

    var path: String? { if case .file(let path) = self { path } else { nil } }

    func bytes(limit: Int = .max) throws(UsageError) -> [UInt8] {
        try FileContent.bytes(of: path ?? "/dev/stdin", limit: limit)
    }
}

extension Options {
    /// Every file that the flags name for reading; the command must not write to them.
    var inputFiles: [InputFile] {
        var files: [InputFile] = []
        for place in Flags.all.indices {
            guard let reads = Flags.all[place].reads else { continue }
            for case let path? in reads.paths(self) {
                files.append(InputFile(flag: Flags.all[place].names[0], path: path))
            }
        }
        return files
    }
}

extension SecretSource {
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension FileUpload {
    /// The file's path if this kind of upload sends a file; otherwise `nil`.
    func path(as kind: Kind) -> String? { kind == self.kind ? source.path : nil }
}

extension HeaderEdit {
    var path: String? { if case .file(let file) = self { file.path } else { nil } }
}
