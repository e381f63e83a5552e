import URLLoading

/// Parses a command line as wget and curl do: flags and URLs in any order; `--` ends the flags.
///
/// - Long flags: `--name value` or `--name=value`. Abbreviated names are refused.
/// - Short flags: `-O value`, `-Ovalue`, and clusters such as `-qO-`, where the last flag may take
///   the rest of the word as its value.
/// - Words with one dash: `-nv`, `-sS`.
/// - A separate value may be `-`, or a negative number if the flag takes numbers. Another value
///   with a dash is refused, because it is probably a flag; write `--name=-value`.
///
/// Of a flag with one value, the last one applies.
///
/// Spellings that are not fetch's own are looked up among ``PastedSpelling``s.
struct FlagParser {
    var options: Options
    /// Arguments that may contain secrets.
    private(set) var secrets: [ArgumentSecret] = []
    /// The flags among the arguments, by their first names.
    private(set) var flags: [String] = []
    /// All arguments; `nil` for a line of a configuration file, where each letter has one meaning.
    let line: PastedArguments?
    /// Spellings whose meaning is decided after the last argument.
    var spelled = Spelled()
    private(set) var rest: ArraySlice<String>

    private init(_ options: Options, _ arguments: [String], isLine: Bool = false) {
        self.options = options
        line = isLine ? nil : PastedArguments(arguments)
        spelled.knownOutputs = options.outputs.count
        rest = arguments[...]
    }

    /// Adds the arguments, without the program's name, to `options`, up to `--help` or `--version`.
    static func parse(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> Options { try read(arguments, onto: options).options }

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

    /// Parses one flag of a configuration file's line; throws `excessWords` for an excess value.
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
        note(argument, .userInfo, of: "a URL", at: 0)
    }

    /// Records a possible secret in the last argument.
    private mutating func note(
        _ value: String,
        _ part: SecretPart?,
        of flag: String,
        at offset: Int
    ) {
        guard let part else { return }
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
        try apply(name, value: value, at: argument.utf8.count - (value?.utf8.count ?? 0))
    }

    /// Applies a flag by its name; `value` is the text at the byte `offset` of the same word.
    mutating func apply(
        _ name: String,
        within word: String? = nil,
        value: String? = nil,
        at offset: Int = 0
    ) throws(UsageError) {
        if line != nil {
            if PastedArguments.curls.contains(name) { options.usesCurlFlags = true }
            spelled.names.insert(name)
            if name == "-J" || name == "--remote-header-name" {
                options.curlsFileFlags.insert("--content-disposition")
            }
        }
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
                if name == "--no-clobber" { spelled.keepsFiles = true }
                if name == "-nc" { spelled.keepsFiles = false }
                return try carryOut(flag, name, "")
            }
            let takesNumbers =
                [.number, .seconds, .byteSize].contains(flag.kind) || placeholder == "RANGE"
            var text = try takeValue(
                of: name,
                placeholder,
                takesNumbers: takesNumbers,
                flag.secret,
                value,
                at: offset
            )
            // So does wget.
            if name == "--method" { text = text.asciiUppercased }
            if name == "-O" {
                spelled.wgetOutputs.append(
                    OutputArgument(
                        text: text,
                        output: options.outputs.count,
                        urls: options.urls.count
                    )
                )
            }
            if name == "-o" { spelled.curlOutputs.append(text) }
            guard line != nil, flag.names[0] == "--time-cond" else {
                return try carryOut(flag, name, text)
            }
            do throws(UsageError) {
                return try carryOut(flag, name, text)
            } catch {
                // The line may make the file: all arguments decide.
                spelled.missingFile = (text, error)
                return
            }
        }
        guard let spelling = PastedSpelling.named(name) else {
            throw FlagSuggestions.error(unknown: name, within: word)
        }
        switch spelling.meaning {
        case .refused(let reason, let hint):
            throw .foreignFlag(flag: name, reason: reason, hint: hint)
        case .flags(let words):
            guard value == nil else { throw .unexpectedValue(flag: name) }
            // Lines of a configuration file are not pasted, so `-p` is refused there.
            if name == "-p", line == nil { throw AmbiguousLetter.tunnel.error(name) }
            try carryOut(words, name)
        case .made(let placeholder, let make):
            let text = try takeValue(of: name, placeholder, .userInfo, value, at: offset)
            if name == "-C" || name == "--continue-at" {
                spelled.hasOffset = text != "-"
                if text == "-" { options.curlsFileFlags.insert("--continue") }
            }
            if name == "--proto-default" { spelled.defaultScheme = text }
            let words = try mapError(make(FlagValue(flag: name, text: text), options)) {
                (error: any Error) in
                UsageError(error, of: name)
            }
            try carryOut(words, name)
        }
    }

    private mutating func takeValue(
        of name: String,
        _ placeholder: String,
        takesNumbers: Bool = false,
        _ secret: SecretPart?,
        _ value: String?,
        at offset: Int
    ) throws(UsageError) -> String {
        guard let text = value ?? rest.popFirst() else {
            throw .missingValue(flag: name, placeholder: placeholder)
        }
        if line != nil, value == nil, text.utf8.first == Self.dash, text != "-",
            !takesNumbers || DecimalText.split(String(text.dropFirst())) == nil
        {
            let long = Flags.named(name)?.longNames.first.map { "--\($0)" } ?? name
            throw .dashedValue(
                flag: name,
                value: secret == nil ? text : nil,
                hint: AmbiguousLetter.hint(beforeFlag: name),
                form: "\(long)=\(secret == nil ? text : "-\(placeholder)")"
            )
        }
        note(text, secret, of: name, at: value == nil ? 0 : offset)
        if let line, let ambiguity = AmbiguousLetter(name, value: text, in: line) {
            throw ambiguity.error(name)
        }
        if line != nil, value != nil, let ambiguity = AmbiguousLetter(name, attached: text) {
            throw ambiguity.error(name)
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
        do {
            switch flag.action {
            case .turnOn(let turnOn): try turnOn(&options)
            case .takeValue(let apply): try apply(&options, FlagValue(flag: name, text: text))
            }
        } catch {
            throw UsageError(error, of: name)
        }
    }
}
