extension ManPage {
    /// DESCRIPTION: which task a command line makes, and what holds for all of them.
    func addDescription(to page: inout Roff) {
        let prose = Self.prose
        page.section("Description")
        page.paragraph(
            """
            `fetch` loads what URLs name: one task for each URL, up to four at once. A body goes to \
            a file or to standard output, every other word to standard error, and the exit status \
            says what kind of thing went wrong.
            """,
            prose
        )
        page.paragraph("What becomes of a URL follows from the flags:", prose)
        for task in Self.tasks { page.item(prose.line(task.form), prose.lines(task.meaning)) }
        page.paragraph(
            """
            --request makes any of these another method. A URL without a scheme gets `https://`, or \
            `http://` where the host is the machine itself. Standard input is read only where a flag \
            asks for it by - or @-.
            """,
            prose
        )
        for (title, paragraphs) in Self.rules {
            page.subsection(title)
            for paragraph in paragraphs { page.paragraph(paragraph, prose) }
        }
    }

    /// Forms of a command line, and the task that each makes of a URL.
    private static let tasks: [(form: String, meaning: String)] = [
        (
            "`fetch` URL",
            """
            Download to a file in the working folder, or in the DIR of --directory-prefix. It has the \
            name of the last component of the URL's path, made safe, or index.html where there is \
            none. A file that has the name stays, and the new one is called NAME.1, NAME.2 and so on.
            """
        ),
        (
            "`fetch -O` FILE URL",
            "Download to FILE, which is replaced only once the new body is whole."
        ),
        (
            "`fetch -O -` URL",
            """
            Write the body to standard output as it comes. The bodies of several URLs follow one \
            another.
            """
        ),
        (
            "`fetch -d` DATA URL",
            """
            Send DATA by POST, and write the response to standard output, or to the FILE of --output. \
            So do --data-binary, --json, --form and --form-string.
            """
        ),
        (
            "`fetch --upload-file` FILE URL",
            """
            Send a file by PUT, or with --post-file by POST. If FILE is - standard input is sent while \
            it is read, however long it is.
            """
        ),
        (
            "`fetch -b` URL",
            """
            Leave the download to a process of its own, print the name of its session, and end. \
            `fetch --attach` ID tells what has become of it.
            """
        ),
        ("`fetch -I` URL", "Ask for the header alone, and write it to standard output."),
    ]

    /// What holds for every task.
    private static let rules: [(title: String, paragraphs: [String])] = [
        (
            "Files are whole or absent",
            [
                """
                Bytes go to NAME.part beside the file that is wanted. When the body has come to its \
                end, the file gets the time of the server's Last-Modified, is brought to the disk, \
                and is given its name. Whatever goes wrong before that, an older file of that name \
                stays as it was.
                """,
                """
                A download that was interrupted leaves NAME.part where it can go on later, with \
                NAME.part.resume, which says how: --continue then asks for the rest, and takes it \
                only if the server's file is still the same. Within one run a download that lost its \
                connection goes on by itself, as --tries says. A part that cannot go on is removed.
                """,
                """
                The body of a response of 400 or above reaches neither a file nor standard output, \
                unless --content-on-error asks for it. A response of 304 leaves every file alone. \
                While one `fetch` writes a file, another one that wants to write it refuses, with \
                exit status 3.
                """,
            ]
        ),
        (
            "Redirects and credentials",
            [
                """
                Redirects are followed, 20 at most. After 303, and after 301 and 302 in answer to \
                POST, the next request is GET without a body; after 307 and 308 the body is sent \
                again. So is one from a pipe, as far as --spool-limit lets it be kept: beyond that \
                the exit status is 13.
                """,
                """
                A user and password belong to the origin of their URL, that is its scheme, host and \
                port. They never go to another one, and neither do the headers Authorization, Cookie \
                and Proxy-Authorization. None of these is ever printed.
                """,
                """
                When a server asks for credentials, they are looked for in this order: --user, the \
                URL, the file .netrc, and with --save-credentials or --session what was kept. A name without a password \
                narrows what follows to that user; a name with one stands alone. In the end the \
                program of --use-askpass is asked, or you are, at the terminal, three times at most. \
                A password that was refused is not sent again. If nothing is left to try, the exit \
                status is 6.
                """,
            ]
        ),
        (
            "What a run remembers",
            [
                """
                What a run does depends on its command line, its files and the server, and not on \
                earlier runs. The server is always asked: what the cache has saves bytes, and never \
                a question, unless --cache-policy says otherwise. Cookies end with the run. Only the \
                hosts that want TLS are remembered, and with --ephemeral not even those.
                """,
                """
                --session NAME is a session that lasts: it has cookies, a cache and kept credentials \
                of its own, for the runs that name it. --session-list lists these sessions, and \
                --session-remove removes one.
                """,
            ]
        ),
        (
            "Messages",
            [
                """
                What is sent and received is shown by --verbose; what the session tells is shown to \
                people by -vv, and to programs by --events.
                """,
                """
                Every message of an error begins with `fetch:` and is followed by what to do about \
                it, where that is known. Control characters that a server sends are printed as \
                escapes. Where the reader of standard output has gone, `fetch` ends quietly by \
                SIGPIPE.
                """,
            ]
        ),
    ]
}
