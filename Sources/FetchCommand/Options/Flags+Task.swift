extension Flags {
    /// What is done with the answer, and where it goes.
    static let task: [Flag] = [
        Flag(
            ["--output", "-O", "-o", "--output-document"],
            value: "FILE",
            kind: .file,
            section: .task,
            help: "save the body as FILE; - is standard output",
            details: """
                FILE is replaced only when the new body is whole. Without this flag the body is saved \
                under the last component of the URL's path, made safe, or as index.html where there \
                is none; a file that exists is kept and the new one is called NAME.1, NAME.2 and so \
                on. With a body to send, the answer goes to standard output unless FILE is named.
                """
        ) { options, value throws(UsageError) in
            let output = try OutputName(value)
            // Who says it twice means it, as with curl's -o -.
            if output == .standardOutput, options.output == output { options.forcesTerminal = true }
            options.output = output
        },
        Flag(
            ["--directory-prefix", "-P"],
            value: "DIR",
            kind: .directory,
            section: .task,
            help: "save under the URL's own name in DIR",
            details:
                "As in wget, it does not apply to the FILE of --output. DIR is made if need be."
        ) { options, value throws(UsageError) in
            options.directory = try value.path()
        },
    ]
}
