import URLLoading

extension Flags {
    private static let nameOfResponse = Flag.Exclusion(
        "--continue",
        "--timestamping",
        because: "the name is known only from the response, and -O NAME says it before"
    )

    /// Flags for the file's name, and for an existing file of that name.
    static let naming: [Flag] = [
        Flag(
            ["--content-disposition", "-J", "--remote-header-name"],
            excludes: [nameOfResponse],
            help: "save the body under the file name that the server sends",
            details: """
                The name is taken from the field Content-Disposition, from `filename*` rather \
                than `filename`. Without one, it is the URL's as usual. The server's name is \
                made safe like the URL's: only its last component is used, and it never begins \
                with . or -. It has no control or invisible characters, and is shortened to what \
                the file system allows, keeping its extension. An existing file is kept, and the \
                new one is called NAME.1 and so on. The name is known only from the response, so \
                nothing can be compared or continued before that.
                """
        ) { $0.contentDisposition = true },
        Flag(
            ["--trust-server-names"],
            excludes: [nameOfResponse],
            background: .knowsNames,
            help: "save the body under the name of the URL that a redirect leads to",
            details: """
                A file name that the server sends with the body has precedence, as with \
                --content-disposition. The name is made safe like every name of a URL.
                """
        ) {
            $0.contentDisposition = true
            $0.trustsRedirects = true
        },
        Flag(
            ["--no-clobber", "-nc"],
            excludes: [
                .init("--timestamping", because: "one keeps the file that the other may replace")
            ],
            help: "skip a URL if its file exists",
            details: """
                The file is left as it is, also one that --output names. No number is tried, \
                nothing is sent, and the exit status is 0. With --content-disposition, the name \
                is known only from the response, and its body is not read then. If the file is \
                created by another program during the download, it is kept, and the body is \
                discarded. With --continue, a part is continued, and a complete file is left \
                alone.
                """
        ) { $0.noClobber = true },
        Flag(
            ["--sync"],
            value: "WHEN",
            kind: .choice(URLSessionConfiguration.FileSynchronization.allCases.map(\.rawValue)),
            help: "synchronize files to disk: each alone, in a group, or none (group)",
            details: """
                A file gets its name when it is complete and its bytes are on the disk. So it is \
                complete even after a power failure. With `group`, files that are complete at \
                the same moment are synchronized together, while further URLs are fetched. A \
                file is reported only when it has its name. With `each`, files are synchronized \
                one after another, and the job waits. With `none`, the system writes when it \
                finds time. That is faster on a slow disk, but after a power failure a file may \
                be empty or truncated under its final name. A background session takes `none` \
                for `group`.
                """
        ) { $0.transport.fileSynchronization = try $1.choice() },
    ]
}

extension Conflicts {
    /// Throws if the file is named twice, or if the server would name a body that is not saved.
    static func checkNaming(_ options: Options) throws(UsageError) {
        guard options.contentDisposition else { return }
        let flag = options.trustsRedirects ? "--trust-server-names" : "--content-disposition"
        if options.output != nil {
            throw .conflict(flag, "--output", reason: "both name the file")
        }
        if options.headFlag != nil {
            throw .conflict(flag, "--head", reason: "there is no body to save")
        }
        if !options.decidesByResponse, let body = bodyFlags(options).first {
            throw .conflict(
                flag,
                body,
                reason: "the response goes to standard output, or to -O FILE"
            )
        }
    }
}
