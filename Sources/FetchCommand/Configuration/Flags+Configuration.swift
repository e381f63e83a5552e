extension Flags {
    static let configuration: [Flag] = [
        Flag(
            ["--config"],
            value: "FILE",
            kind: .file,
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
