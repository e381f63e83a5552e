/// Reads a command line as wget and curl do: flags and URLs in any order, `--` ends the flags.
///
/// - Long flags: `--name value` or `--name=value`. Prefixes of names are no names.
/// - Short flags: `-O value`, `-Ovalue`, and clusters such as `-qO-`, the last of which may take the
///   rest of the word as its value.
/// - Words behind one dash: `-nv`, `-sS`.
/// - A value may begin with a dash, as in `-O -`. Of a flag that holds one value the last one counts.
struct FlagParser {
    private(set) var options: Options
    /// What stood among the arguments and may be secret.
    private(set) var secrets: [ArgumentSecret] = []
    /// The flags that stood among the arguments, each by its first name.
    private(set) var flags: [String] = []
    private var rest: ArraySlice<String>

    private init(_ options: Options, _ arguments: [String]) {
        self.options = options
        rest = arguments[...]
    }

    /// Reads the arguments, without the program's name, on top of what `options` says already.
    ///
    /// Reading ends at `--help` or `--version`.
    static func parse(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> Options {
        try read(arguments, onto: options).options
    }

    /// The same, and says which arguments hold secrets.
    static func read(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> FlagParser {
        var parser = FlagParser(options, arguments)
        while parser.options.information == nil, let argument = parser.rest.popFirst() {
            try parser.take(argument)
        }
        return parser
    }

    /// Reads one flag, as a line of a file has it.
    ///
    /// - Parameters:
    ///   - word: the flag; its value may be part of it.
    ///   - value: what stands behind it.
    ///   - options: what was said before.
    /// - Returns: the parser, with one flag or, where `word` is a cluster, several.
    /// - Throws: `leftOver` where no flag takes the value.
    static func read(
        line word: String,
        _ value: String?,
        onto options: Options
    ) throws(UsageError) -> FlagParser {
        var parser = FlagParser(options, [word] + (value.map { [$0] } ?? []))
        parser.rest.removeFirst()
        try parser.take(word)
        guard parser.rest.isEmpty else { throw .leftOver(flag: parser.flags.last ?? word) }
        return parser
    }

    private mutating func take(_ argument: String) throws(UsageError) {
        switch argument.utf8.prefix(2).count {
        case 2 where argument == "--":
            while let url = rest.popFirst() { takeURL(url) }
        case 2 where argument.hasPrefix("--"):
            try takeLong(argument)
        case 2 where argument.utf8.first == UInt8(ascii: "-"):
            try takeShort(argument)
        default:
            takeURL(argument)
        }
    }

    private mutating func takeURL(_ argument: String) {
        options.urls.append(argument)
        note(argument, .userInfo, of: "a URL", behind: 0)
    }

    /// Notes what may be secret of the argument that was taken last.
    private mutating func note(
        _ value: String,
        _ part: SecretPart,
        of flag: String,
        behind offset: Int
    ) {
        if case .none = part { return }
        secrets.append(
            ArgumentSecret(
                argument: rest.startIndex - 1,
                offset: offset,
                flag: flag,
                part: part,
                value: value
            )
        )
    }

    private mutating func takeLong(_ argument: String) throws(UsageError) {
        let parts = argument[...].split(atFirst: UInt8(ascii: "="))
        let name = parts.map { String($0.before) } ?? argument
        guard let flag = Flags.named(name) else { throw FlagSuggestions.error(unknown: name) }
        let offset = argument.utf8.count - (parts?.after.utf8.count ?? 0)
        try apply(flag, written: name, value: parts.map { String($0.after) }, behind: offset)
    }

    private mutating func takeShort(_ argument: String) throws(UsageError) {
        if let flag = Flags.named(argument), flag.placeholder == nil {
            return try apply(flag, written: argument, value: nil)
        }
        // `-output FILE` would save as `utput` and fetch FILE: no one means that.
        guard Flags.named("-" + argument) == nil || argument.utf8.count == 2 else {
            throw .unknownFlag(argument, near: ["-" + argument])
        }
        var letters = argument[...].withoutFirstByte
        let switches = letters.prefix { Flags.named("-\($0)")?.placeholder == nil }
        let isCurlSilence = switches.contains("s")
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let flag = Flags.named(name) else {
                throw FlagSuggestions.error(unknown: name, within: argument)
            }
            if flag.placeholder != nil {
                let value = letters.isEmpty ? nil : String(letters)
                let offset = argument.utf8.count - letters.utf8.count
                return try apply(flag, written: name, value: value, behind: offset)
            }
            // In -sS and -fsSL the S is curl's --show-error.
            guard letter != "S" || !isCurlSilence else { continue }
            try apply(flag, written: name, value: nil)
        }
    }

    /// Carries out a flag.
    ///
    /// `value` is what was written into the same word, after so many bytes of it.
    private mutating func apply(
        _ flag: Flag,
        written name: String,
        value: String?,
        behind offset: Int = 0
    ) throws(UsageError) {
        flags.append(flag.names[0])
        options.given.insert(flag.names[0])
        switch flag.action {
        case .turnOn(let turnOn):
            guard value == nil else { throw .unexpectedValue(flag: name) }
            try turnOn(&options)
        case .takeValue(let apply):
            guard let text = value ?? rest.popFirst() else {
                throw .missingValue(flag: name, placeholder: flag.placeholder ?? "VALUE")
            }
            note(text, flag.secret, of: name, behind: value == nil ? 0 : offset)
            try apply(&options, FlagValue(flag: name, text: text))
        }
    }
}
