extension Flags {
    /// Which flags come before the command line's.
    static let configuration: [Flag] = [
        Flag(
            ["--config"],
            value: "FILE",
            kind: .file,
            orders: .all,
            reads: .init { [$0.configurationPath] },
            section: .session,
            help: "read flags from FILE before those of the command line",
            details: """
                In the place of the user's own file, `~/.config/fetch/config`, or of the one that \
                FETCH_CONFIG names. A line holds one flag as on the command line, with its value behind \
                a blank or =. The value is all that follows; between double quotes it may begin and end \
                with blanks, and `\\"`, `\\\\`, `\\n`, `\\r` and `\\t` have the meaning they have in C. Lines \
                that begin with # are comments. Relative paths start where the command is run. Of a flag \
                that holds one value the command line's counts, those that repeat add up, and a flag \
                that cannot be combined with one of the command line's is left out. URLs are for the \
                command line. The file must belong to the user or to root, and no other user may be able to \
                write to it.
                """
        ) { options, value throws(UsageError) in
            let path = try value.path()
            guard path != "-" else {
                throw value.invalid("is no file, and flags are read from one")
            }
            options.configuration = .file(path)
        },
        Flag(
            ["--no-config"],
            orders: .all,
            section: .session,
            help: "do not read a configuration file"
        ) { $0.configuration = .none },
    ]
}
