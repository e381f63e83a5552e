extension ManPage {
    /// DESCRIPTION: the kinds of command lines with their tasks, and the rules for all tasks.
    func addDescription(to page: inout Roff) {
        let prose = Self.prose
        page.section("Description")
        page.paragraph(
            """
            `fetch` transfers data from and to URLs: one task for each URL, up to four at once. \
            A body goes to a file or to standard output, and everything else to standard error. \
            The exit status says what kind of error occurred.
            """,
            prose
        )
        page.paragraph("The flags select the task:", prose)
        for task in Self.tasks { page.item(prose.line(task.form), prose.lines(task.meaning)) }
        page.paragraph(
            """
            --request changes the method of any of these. A URL without a scheme gets \
            `https://`, or `http://` if the host is the machine itself. Standard input is read \
            only where a flag asks for it by - or @-.
            """,
            prose
        )
        for (title, paragraphs) in Self.rules {
            page.subsection(title)
            for paragraph in paragraphs { page.paragraph(paragraph, prose) }
        }
    }

    /// Forms of the command line, and the task that each form creates.
    private static let tasks: [(form: String, meaning: String)] = [
        (
            "`fetch` URL",
            """
            Download to a file in the working folder, or in the DIR of --directory-prefix. The \
            file gets the last component of the URL's path as its name, made safe, or index.html \
            if there is none. An existing file is kept, and the new one is called NAME.1, NAME.2 \
            and so on.
            """
        ),
        (
            "`fetch -O` FILE URL",
            "Download to FILE, which is replaced only when the new body is complete."
        ),
        (
            "`fetch -O -` URL",
            """
            Write the body to standard output as it arrives. The bodies of several URLs follow \
            one another.
            """
        ),
        (
            "`fetch -d` DATA URL",
            """
            Send DATA by POST, and write the response to standard output, or to the FILE of \
            --output. --data-binary, --json, --form and --form-string do the same with other \
            bodies.
            """
        ),
        (
            "`fetch --upload-file` FILE URL",
            """
            Send a file by PUT, or by POST with --post-file. If FILE is -, standard input is \
            sent while it is read, whatever its length.
            """
        ),
        (
            "`fetch -b` URL",
            """
            Leave the download to a separate process, print the name of its session, and exit. \
            `fetch --attach` ID reports the result.
            """
        ),
        ("`fetch -I` URL", "Request only the header, and write it to standard output."),
    ]

    /// Rules for all tasks.
    private static let rules: [(title: String, paragraphs: [String])] = [
        (
            "Files are complete or absent",
            [
                """
                Bytes are written to NAME.part beside the file, or a small body to a file \
                without a name. When the body is complete, the \
                file gets the time of the server's Last-Modified, is synchronized to the disk, \
                and gets its name. Whatever goes wrong before that, an existing file of that \
                name is left as it is.
                """,
                """
                An interrupted download leaves NAME.part if it can be continued, and \
                NAME.part.resume with what that takes. --continue requests the rest, and uses it \
                only if the server's file is still the same. Within one run, a download that \
                loses its connection continues by itself, as --tries says. A part that cannot be \
                continued is removed.
                """,
                """
                The body of a response of 400 or above reaches neither a file nor standard \
                output, unless --content-on-error is given. A response of 304 leaves every file \
                alone. While one `fetch` writes a file, another one that would write to it fails \
                with exit status 3.
                """,
            ]
        ),
        (
            "Redirects and credentials",
            [
                """
                Redirects are followed, 20 at most. After 303, and after 301 and 302 in response \
                to POST, the next request is GET without a body. After 307 and 308 the body is \
                sent again. A body from a pipe is kept for that up to the --spool-limit; beyond \
                it, the exit status is 13.
                """,
                """
                A user and password belong to the origin of their URL: its scheme, host and \
                port. They are never sent to another origin, and neither are the headers \
                Authorization, Cookie and Proxy-Authorization. None of these is ever printed.
                """,
                """
                When a server asks for credentials, they are searched in this order: --user, the \
                URL, the file .netrc, and saved ones with --save-credentials or --session. A \
                user without a password limits the search to that user. A user with a password \
                ends it. Last, the program of --use-askpass or the terminal asks for them, three \
                times at most. A refused password is not sent again. If nothing is left to try, \
                the exit status is 6.
                """,
            ]
        ),
        (
            "What is kept between runs",
            [
                """
                The result of a run depends on its command line, its files and the server, and \
                not on earlier runs. The cache saves bytes, but the server is always asked, \
                unless --cache-policy says otherwise. Cookies are forgotten at the end of the \
                run. Only the hosts that require TLS are remembered, and with --ephemeral not \
                even those.
                """,
                """
                --session NAME keeps cookies, a cache and credentials of its own for the runs \
                that name it. --session-list lists these sessions, and --session-remove removes \
                one.
                """,
            ]
        ),
        (
            "Messages",
            [
                """
                --verbose shows requests and responses. -vv shows the session's events to \
                people, and --events writes them for programs.
                """,
                """
                Every error message begins with `fetch:`, and is followed by a hint if there is \
                one. Control characters from servers are printed as escapes. If the reader of \
                standard output closes it, `fetch` ends silently by SIGPIPE.
                """,
            ]
        ),
    ]
}
