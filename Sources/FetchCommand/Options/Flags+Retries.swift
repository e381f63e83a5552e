extension Flags {
    /// What is done when a transfer breaks off.
    static let retries: [Flag] = [
        Flag(
            ["--continue", "-c"],
            section: .retries,
            help: "continue a file of which there is a part",
            details: """
                The part is NAME.part with its resume data, NAME.part.resume, as an earlier run has \
                left them. The server is asked for the rest under the condition that its file is \
                still the same (If-Range); where it is not, the whole comes again and replaces the \
                part. Where there is no resume data but a NAME.part or NAME, left by another \
                program, its last 64 KiB are asked for again and compared first; a difference means \
                to start over. NAME itself stays until the new file is whole. With a NAME that is \
                complete there is nothing to do, and the exit status is 0. A NAME that is gone on with is \
                replaced by what it becomes; where the server begins anew, a NAME of the URL's own \
                stays beside the new file.
                """
        ) { $0.continues = true },
        Flag(
            ["--tries", "-t"],
            value: "N",
            kind: .number,
            section: .retries,
            help: "try a download N times (5); 0 is without end",
            details: """
                A download whose connection is lost or falls silent goes on where it stood, by the \
                rules of --continue, after a wait of 1 s, then 2 s and so on up to 10 s. A try that \
                has brought more of the file is not counted, unless N is 1. Only downloads to a \
                file, by GET and without a body, are tried again.
                """
        ) { options, value throws(UsageError) in
            options.tries = try value.integer(in: 0...Int(Int32.max))
        },
    ]
}
