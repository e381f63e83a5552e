extension Flags {
    /// Whether there is anything to fetch.
    static let conditions: [Flag] = [
        Flag(
            ["--timestamping", "-N"],
            background: .knowsNames,
            section: .task,
            help: "fetch only what is not the file that is there already, and replace that",
            details: """
                The server is asked by the tag and the date that it gave with the file; where it has \
                no other, the file stays untouched, and the exit status is 0. Tag and date are kept \
                beside the file's bytes, in the extended attribute user.fetch.validator, and count as \
                long as its size and time are what they were. Of other files the time alone is asked \
                about, as wget does; who has a part of a file completes it with --continue. A name from \
                the URL is not numbered.
                """
        ) { $0.timestamping = true },
        Flag(
            ["--etag-compare"],
            value: "FILE",
            kind: .file,
            excludes: [
                .init(
                    "--continue",
                    "--timestamping",
                    because: "that asks by what it keeps with the file itself"
                )
            ],
            background: .comparesNothing,
            reads: .init { [$0.entityTagInput] },
            section: .task,
            help: "fetch only what has another entity tag than the one in FILE",
            details: """
                Where the server has no other (304), nothing is written, and the exit status is 0. Beside \
                --etag-save FILE may be missing; it then is asked for in any case, as where FILE is empty. \
                What is in FILE and no entity tag is refused.
                """
        ) { options, value throws(UsageError) in
            options.entityTagInput = try value.path()
        },
        Flag(
            ["--etag-save"],
            value: "FILE",
            kind: .file,
            excludes: [
                .init(
                    "--continue",
                    "--timestamping",
                    because: "that asks by what it keeps with the file itself"
                )
            ],
            background: .comparesNothing,
            section: .task,
            help: "keep the entity tag of what was fetched in FILE, for --etag-compare",
            details: """
                FILE is replaced once the body is whole and in its place, and not where that fails. It is \
                empty where the server gives no tag.
                """
        ) { options, value throws(UsageError) in
            let output = try OutputName(value)
            guard case .path = output else {
                throw value.invalid("is no file", hint: "a tag is kept in one; ./- has that name")
            }
            options.entityTagOutput = output
        },
    ]
}
