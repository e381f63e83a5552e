/// Reads a command line as wget and curl do: flags and URLs in any order, `--` ends the flags.
///
/// - Long flags: `--name value` or `--name=value`. Prefixes of names are no names.
/// - Short flags: `-O value`, `-Ovalue`, and clusters such as `-qO-`, the last of which may take the
///   rest of the word as its value.
/// - Words behind one dash: `-nv`, `-sS`.
/// - A value of its own may be `-`, or a number below 0 where numbers are wanted. Any other that
///   begins with a dash is refused, since a flag was forgotten or meant. `--name=-value` gives one.
///   Of a flag that holds one value the last one counts.
///
/// What is not fetch's own is looked up among ``PastedSpelling``s.
struct FlagParser {
    var options: Options
    /// Arguments that may contain secrets.
    private(set) var secrets: [ArgumentSecret] = []
    /// The flags among the arguments, by their first names.
    private(set) var flags: [String] = []
    /// All arguments; `nil` for a line of a file, where letters have one meaning.
    let line: PastedArguments?
    /// Spellings whose meaning is decided at the end.
    var spelled = Spelled()
    /// The arguments that are still to be read.
    private(set) var rest: ArraySlice<String>

    /// Spellings whose meaning depends on the other arguments.
    struct Spelled {
        /// What `-O` took from the next argument.
        var wgetOutputs: [String] = []
        /// What `-o` took.
        var curlOutputs: [String] = []
        /// Whether `-C` has an offset.
        var hasOffset = false
        var newer = false
        var heads = false
        /// Whether the arguments have `-p`.
        var tunnels = false
        /// How many outputs were known before.
        var knownOutputs = 0
    }

    private init(_ options: Options, _ arguments: [String], isLine: Bool = false) {
        self.options = options
        line = isLine ? nil : PastedArguments(arguments)
        spelled.knownOutputs = options.outputs.count
        rest = arguments[...]
    }

    /// Reads the arguments, without the program's name, on top of `options`.
    ///
    /// Reading ends at `--help` or `--version`.
    static func parse(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> Options {
        try read(arguments, onto: options).options
    }

    /// Parses, and returns which arguments contain secrets.
    static func read(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> FlagParser {
        var parser = FlagParser(options, arguments)
        while let argument = parser.rest.popFirst() {
            try parser.take(argument)
            switch parser.options.information {
            case .help(nil):
                let topic = parser.rest.first.flatMap { $0.utf8.first == dash ? nil : $0 }
                parser.options.information = .help(topic)
                return parser
            case .help, .version: return parser
            case nil: break
            }
        }
        try parser.settle()
        return parser
    }

    /// Reads one flag, as a line of a file has it.
    ///
    /// - Parameters:
    ///   - word: the flag; its value may be part of it.
    ///   - value: what is behind it.
    ///   - options: the options so far.
    /// - Returns: the parser, with one flag or, where `word` is a cluster, several.
    /// - Throws: `excessWords` where no flag takes the value.
    static func read(
        line word: String,
        _ value: String?,
        onto options: Options
    ) throws(UsageError) -> FlagParser {
        var parser = FlagParser(options, [word] + (value.map { [$0] } ?? []), isLine: true)
        parser.rest.removeFirst()
        try parser.take(word)
        guard parser.rest.isEmpty else { throw .excessWords(flag: parser.flags.last ?? word) }
        return parser
    }

    static let dash = UInt8(ascii: "-")

    private mutating func take(_ argument: String) throws(UsageError) {
        switch argument.utf8.prefix(2).count {
        case 2 where argument == "--":
            while let url = rest.popFirst() { takeURL(url) }
        case 2 where argument.utf8.starts(with: "--".utf8):
            try takeLong(argument)
        case 2 where argument.utf8.first == Self.dash:
            try takeShort(argument)
        default:
            takeURL(argument)
        }
    }

    private mutating func takeURL(_ argument: String) {
        options.urls.append(argument)
        note(argument, .userInfo, of: "a URL", behind: 0)
    }

    /// Notes a possible secret in the last argument.
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
        let value = parts.map { String($0.after) }
        if name == "--help", let value {
            options.information = .help(value)
            return
        }
        try apply(name, value: value, behind: argument.utf8.count - (value?.utf8.count ?? 0))
    }

    /// Applies a flag by its name, dashes included.
    ///
    /// `value` is what was written into the same word, after so many bytes of it.
    mutating func apply(
        _ name: String,
        within word: String? = nil,
        value: String? = nil,
        behind offset: Int = 0
    ) throws(UsageError) {
        if line != nil, PastedArguments.curls.contains(name) { options.isCurls = true }
        if name == "--background-resume", value == nil, rest.first == "--all" {
            rest.removeFirst()
            return try carryOut(["--background-resume-all"], name)
        }
        if let flag = Flags.named(name) {
            guard let placeholder = flag.placeholder else {
                guard value == nil else { throw .unexpectedValue(flag: name) }
                if name == "--hsts", let next = rest.first, line?.isNoURL(next) == true,
                    next.utf8.first != Self.dash
                {
                    throw .foreignFlag(
                        flag: name,
                        reason: "this flag takes a file in curl, and no value here",
                        hint: "use --hsts-file FILE"
                    )
                }
                if name == "-N" { spelled.newer = true }
                if name == "-S" { spelled.heads = true }
                return try carryOut(flag, name, "")
            }
            let wanted = Wanted(placeholder, flag.kind, flag.secret)
            let text = try takeValue(of: name, wanted, value, behind: offset)
            if name == "-O" { spelled.wgetOutputs.append(text) }
            if name == "-o" { spelled.curlOutputs.append(text) }
            return try carryOut(flag, name, text)
        }
        guard let spelling = PastedSpelling.named(name) else {
            throw FlagSuggestions.error(unknown: name, within: word)
        }
        switch spelling.meaning {
        case .refused(let reason, let hint):
            throw .foreignFlag(flag: name, reason: reason, hint: hint)
        case .flags(let words):
            guard value == nil else { throw .unexpectedValue(flag: name) }
            if name == "-p" {
                // A file of flags was written for no other tool.
                guard line != nil else { throw LetterDoubt.tunnel.error(name) }
                spelled.tunnels = true
            }
            try carryOut(words, name)
        case .made(let placeholder, let make):
            let wanted = Wanted(placeholder, .text, .userInfo)
            let text = try takeValue(of: name, wanted, value, behind: offset)
            if name == "-C" || name == "--continue-at" { spelled.hasOffset = text != "-" }
            try carryOut(try make(FlagValue(flag: name, text: text), options), name)
        }
    }

    /// The kind of value that a flag needs.
    private struct Wanted {
        let placeholder: String
        let takesNumbers: Bool
        let secret: SecretPart

        init(_ placeholder: String, _ kind: FlagValueKind, _ secret: SecretPart) {
            self.placeholder = placeholder
            self.secret = secret
            takesNumbers = [.number, .seconds, .byteSize].contains(kind) || placeholder == "RANGE"
        }
    }

    private mutating func takeValue(
        of name: String,
        _ wanted: Wanted,
        _ value: String?,
        behind offset: Int
    ) throws(UsageError) -> String {
        guard let text = value ?? rest.popFirst() else {
            throw .missingValue(flag: name, placeholder: wanted.placeholder)
        }
        if line != nil, value == nil, text.utf8.first == Self.dash, text != "-",
            !wanted.takesNumbers || DecimalText.split(String(text.dropFirst())) == nil
        {
            let long = Flags.named(name)?.longNames.first.map { "--\($0)" } ?? name
            let isOpen = if case .none = wanted.secret { true } else { false }
            throw .dashedValue(
                flag: name,
                value: isOpen ? text : nil,
                hint: LetterDoubt(flagBehind: name)?.hint,
                form: "\(long)=\(isOpen ? text : "-\(wanted.placeholder)")"
            )
        }
        note(text, wanted.secret, of: name, behind: value == nil ? 0 : offset)
        if let line, let doubt = LetterDoubt(name, value: text, in: line) {
            throw doubt.error(name)
        }
        return text
    }

    /// Applies flags and their values, as if the user had given them.
    private mutating func carryOut(_ words: [String], _ name: String) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            guard let flag = Flags.named(word) else { throw .unknownFlag(word, near: []) }
            try carryOut(flag, name, flag.placeholder == nil ? "" : words.popFirst() ?? "")
        }
    }

    private mutating func carryOut(
        _ flag: Flag,
        _ name: String,
        _ text: String
    ) throws(UsageError) {
        flags.append(flag.names[0])
        options.given.insert(flag.names[0])
        switch flag.action {
        case .turnOn(let turnOn): try turnOn(&options)
        case .takeValue(let apply): try apply(&options, FlagValue(flag: name, text: text))
        }
    }
}
