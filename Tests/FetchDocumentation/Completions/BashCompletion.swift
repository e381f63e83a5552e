import FetchCommand

/// The completion for bash 4.4 or newer: a table of the flags, and functions that read the table.
///
/// It does not need the package bash-completion.
struct BashCompletion {
    let flags: [Flag]

    /// The complete script.
    var text: String {
        """
        # bash completion for fetch
        # \(GeneratedFile.notice)

        # Each line is a flag: what its value is (- where it has none), whether several add up, the
        # flags that it excludes (- for none), and its names; the first one identifies it.
        __fetch_flags='
        \(flags.map(row).joined(separator: "\n"))
        '

        \(Self.functions)
        complete -F __fetch fetch

        """
    }

    private func row(_ flag: Flag) -> String {
        let excluded = flags.excluded(by: flag).compactMap { Self.names($0).first }
        let others = excluded.isEmpty ? "-" : excluded.joined(separator: "|")
        let columns = [Self.kind(flag), flag.repeats ? "many" : "once", others]
        return (columns + Self.names(flag)).joined(separator: " ")
    }

    /// The long name shown in help, then the short names, then the aliases.
    private static func names(_ flag: Flag) -> [String] {
        let long = flag.longNames.map { "--\($0)" }
        let short = flag.names.filter { !$0.hasPrefix("--") }
        return long.prefix(1) + short + long.dropFirst()
    }

    /// The kind of value, as one word without spaces, because the table is split at spaces.
    private static func kind(_ flag: Flag) -> String {
        guard flag.placeholder != nil else { return "-" }
        return switch flag.kind {
        case .text, .number, .seconds, .byteSize: "text"
        case .file: "file"
        case .directory: "directory"
        case .data: "data"
        case .formField: "form"
        case .choice(let words), .suggestion(let words): "words|" + words.joined(separator: "|")
        case .beginning(let words): "beginning|" + words.joined(separator: "|")
        }
    }
}
