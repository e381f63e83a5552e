extension Flags {
    static let task: [Flag] = [
        Flag(
            ["--output", "-O", "-o", "--output-document"],
            value: "FILE",
            kind: .file,
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
        Flag(
            ["--remote-name-all"],
            help: "do the same for every URL"
        ) { $0.namesAll = true },
        Flag(
            ["--directory-prefix", "-P"],
            value: "DIR",
            kind: .directory,
            help: "save under the URL's own name in DIR",
            details: """
                As in wget, DIR does not apply to the FILE of --output. DIR is created if it is \
                missing.
                """
        ) { $0.directory = try $1.path() },
        Flag(
            ["--output-dir"],
            value: "DIR",
            kind: .directory,
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
            kind: .number,
            help: "with --force-directories, omit the first N folders of the URL"
        ) { $0.cutFolders = try $1.integer(in: 0...1_000) },
        Flag(
            ["--no-use-server-timestamps"],
            background: .comparesNothing,
            help: "give files the time of the download, not the server's"
        ) { $0.session.keepsServerTime = false },
    ]
}
