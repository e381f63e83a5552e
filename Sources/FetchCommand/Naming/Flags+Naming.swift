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
            excludes: nameOfResponse,
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
            excludes: nameOfResponse,
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
            excludes: .init(
                "--timestamping",
                because: "one keeps the file that the other may replace"
            ),
            help: "skip a URL if its file exists",
            details: """
                The file is left as it is, also one that --output names. No number is tried, \
                nothing is sent, and the exit status is 0. Different URLs of one name have \
                numbers, which the next run finds again. With --content-disposition, the name \
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
        if options.output != nil { throw .conflict(flag, "--output", reason: "both name the file") }
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

extension Flags {
    static let task: [Flag] = [
        Flag(
            ["--output", "-O", "-o", "--output-document"],
            value: "FILE",
            help: "save the body as FILE; - is standard output",
            details: """
                FILE is replaced only when the new body is complete. Without this flag, the body \
                is saved under the last component of the URL's path, made safe, or as index.html \
                if there is none. An existing file is kept then, and the new one is called \
                NAME.1, NAME.2 and so on. With a body to send, or a method other than GET and \
                HEAD, the response goes to standard output unless FILE is given. So it does if \
                standard output is not a terminal, and the line has a spelling that only curl \
                has: the letters -f, -s, -S, -L, -G, -m, -w, -z, -A and -0, and such words as \
                --fail, --location, --get and --proto. Each URL has its own -O: -O a URL -O b URL. If a URL has \
                patterns, #1 in FILE is replaced by the text of the first one, #2 by that of the \
                second, and so on.
                """
        ) { options, value in
            let output = try OutputName(value)
            // A repeated `-O -` forces output to a terminal, as curl's -o - does.
            if output == .standardOutput, options.output == output {
                options.responses.forcesTerminal = true
            }
            options.outputs.append(output)
        },
        Flag(
            ["--remote-name"],
            help: "save under the URL's own name, and replace a file that has it",
            details: """
                This is curl's -O, which has no value. -O is read so if a flag, a URL or nothing \
                follows it, and in one word with other letters of curl's, as in -OL and -sSOJL.
                """
        ) { $0.outputs.append(nil) },
        Flag(["--remote-name-all"], help: "do the same for every URL") { $0.namesAll = true },
        Flag(
            ["--directory-prefix", "-P"],
            value: "DIR",
            help: "save under the URL's own name in DIR",
            details: """
                As in wget, DIR does not apply to the FILE of --output. DIR is created if it is \
                missing.
                """
        ) { $0.directory = try $1.path() },
        Flag(
            ["--output-dir"],
            value: "DIR",
            help: "save in DIR, also with --output; DIR is created if it is missing"
        ) { $0.outputFolder = try $1.path() },
        Flag(
            ["--create-dirs"],
            help: "create the folders in the path of --output"
        ) { $0.createsFolders = true },
        Flag(
            ["--force-directories"],
            help: "save in a folder of the host's name, with the folders of the URL",
            details: """
                The folders are created below the DIR of --directory-prefix. Each name is made \
                safe, like a file name. In a folder that other users can write to, a folder of \
                another user than root is refused; --directory-prefix may name it.
                """
        ) { $0.forcesFolders = true },
        Flag(
            ["--no-host-directories", "-nH"],
            help: "with --force-directories, make no folder of the host's name"
        ) { $0.omitsHostFolder = true },
        Flag(
            ["--cut-dirs"],
            value: "N",
            help: "with --force-directories, omit the first N folders of the URL"
        ) { $0.cutFolders = try $1.integer(in: 0...1_000) },
        Flag(
            ["--no-use-server-timestamps"],
            background: .comparesNothing,
            help: "give files the time of the download, not the server's"
        ) { $0.session.keepsServerTime = false },
    ]
}
