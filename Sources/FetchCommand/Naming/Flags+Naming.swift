import URLLoading

extension Flags {
    /// How a file is called, and what becomes of one that is called so already.
    static let naming: [Flag] = [
        Flag(
            ["--content-disposition", "-J", "--remote-header-name", "--trust-server-names"],
            excludes: [
                .init(
                    "--continue",
                    "--timestamping",
                    because: "the name is known only from the response, and -O NAME says it before"
                )
            ],
            section: .task,
            help: "save the body under the file name that the server sends",
            details: """
                The name is that of the field Content-Disposition, `filename*` before `filename`; \
                where there is none it is the URL's, as ever. It is made safe as that is: its last \
                component alone counts, it never begins with . or -, holds no control or invisible \
                characters, and is cut to what the file system takes, with its extension kept. A file \
                that has the name stays, and the new one is called NAME.1 and so on. The name is known \
                only from the response, so there is nothing to compare or to continue before that.
                """
        ) { $0.contentDisposition = true },
        Flag(
            ["--no-clobber", "-nc"],
            excludes: [
                .init("--timestamping", because: "the one keeps a file that the other may replace")
            ],
            section: .task,
            help: "skip a URL if its file exists",
            details: """
                The file stays as it is, also one that --output names, no number is tried, nothing is \
                sent, and the exit status is 0. With --content-disposition the name is known only from \
                the response, of which nothing is read then. A file that comes to be while the body comes \
                stays too, and the body is dropped. With --continue a part is gone on with, and a \
                whole file left alone.
                """
        ) { $0.noClobber = true },
        Flag(
            ["--sync"],
            value: "WHEN",
            kind: .choice(URLSessionConfiguration.FileSynchronization.allCases.map(\.rawValue)),
            section: .task,
            help: "bring files to the disk each alone, in a group, or none (group)",
            details: """
                A file gets its name when it is whole and its bytes are on the disk, so that it is whole \
                also after a power cut. With `group`, the files that are whole at the same moment are \
                brought there together, while further URLs are fetched; that a file is there is said only \
                when it has its name. With `each`, they are brought there one after another, and the job \
                waits. With `none`, the system writes when it finds time: that is faster on a slow disk, \
                and after a power cut a file may be empty or cut short under its final name.
                """
        ) { options, value throws(UsageError) in
            options.transport.fileSynchronization = try value.choice(
                URLSessionConfiguration.FileSynchronization.self
            )
        },
    ]
}

extension Conflicts {
    /// A name is chosen once, and by the server only where there is a file to be named.
    static func checkNaming(_ options: Options) throws(UsageError) {
        guard options.contentDisposition else { return }
        let flag = "--content-disposition"
        if options.output != nil {
            throw .conflict(flag, "--output", reason: "each says how the file is called")
        }
        if options.head || options.method == .head {
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
