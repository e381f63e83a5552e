extension Flags {
    /// Whether there is anything to fetch.
    static let conditions: [Flag] = [
        Flag(
            ["--timestamping", "-N"],
            excludes: ["--no-clobber", "--content-disposition"],
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
        ) { $0.timestamping = true }
    ]
}
