/// Reads a command line as wget and curl do: flags and URLs in any order, `--` ends the flags.
///
/// - Long flags: `--name value` or `--name=value`. Prefixes of names are no names.
/// - Short flags: `-O value`, `-Ovalue`, and clusters such as `-qO-`, the last of which may take the
///   rest of the word as its value.
/// - Words behind one dash: `-nv`, `-sS`.
/// - A value may begin with a dash, as in `-O -`. Of a flag that holds one value the last one counts.
struct FlagParser {
    private(set) var options: Options
    private var rest: ArraySlice<String>

    /// Reads the arguments, without the program's name, on top of what `options` says already.
    ///
    /// Reading ends at `--help` or `--version`.
    static func parse(
        _ arguments: [String],
        onto options: Options = Options()
    ) throws(UsageError) -> Options {
        var parser = FlagParser(options: options, rest: arguments[...])
        while parser.options.information == nil, let argument = parser.rest.popFirst() {
            try parser.take(argument)
        }
        return parser.options
    }

    private mutating func take(_ argument: String) throws(UsageError) {
        switch argument.utf8.prefix(2).count {
        case 2 where argument == "--":
            options.urls += rest
            rest = []
        case 2 where argument.hasPrefix("--"):
            try takeLong(argument)
        case 2 where argument.utf8.first == UInt8(ascii: "-"):
            try takeShort(argument)
        default:
            options.urls.append(argument)
        }
    }

    private mutating func takeLong(_ argument: String) throws(UsageError) {
        let parts = argument[...].split(atFirst: UInt8(ascii: "="))
        let name = parts.map { String($0.before) } ?? argument
        guard let flag = Flags.named(name) else { throw FlagSuggestions.error(unknown: name) }
        try apply(flag, written: name, value: parts.map { String($0.after) })
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
                return try apply(flag, written: name, value: value)
            }
            // In -sS and -fsSL the S is curl's --show-error.
            guard letter != "S" || !isCurlSilence else { continue }
            try apply(flag, written: name, value: nil)
        }
    }

    /// Carries out a flag.
    ///
    /// `value` is what was written into the same word.
    private mutating func apply(
        _ flag: Flag,
        written name: String,
        value: String?
    ) throws(UsageError) {
        switch flag.action {
        case .turnOn(let turnOn):
            guard value == nil else { throw .unexpectedValue(flag: name) }
            turnOn(&options)
        case .takeValue(let apply):
            guard let text = value ?? rest.popFirst() else {
                throw .missingValue(flag: name, placeholder: flag.placeholder ?? "VALUE")
            }
            try apply(&options, FlagValue(flag: name, text: text))
        }
    }
}
