import FetchCommand

/// The page for users of another program: a table with a row for each of its flags.
struct ForeignPage {
    /// `curl` or `wget`.
    let tool: String
    let flags: [ForeignFlag]
    /// Differences that do not depend on a flag.
    let habits: [String]
    /// A flag that only this program has.
    let neighbour: String?

    /// The complete page, in Markdown.
    var text: String {
        let rows = flags.compactMap { $0.row(neighbour) }.map {
            "| \($0.joined(separator: " | ")) |"
        }
        let unknown = flags.filter { $0.reading.verdict == .unknown }.map { "`\($0.name)`" }
        return """
            <!-- \(GeneratedFile.notice) -->

            # Coming from \(tool)

            A line that was written for \(tool) works when its first word becomes `fetch`, or fetch refuses it: \
            exit status 2, nothing is sent, and the message says what to write.

            ## What differs without any flag

            \(habits.map { "- \($0)" }.joined(separator: "\n"))

            ## Flag by flag

            The second column is the flag's name here. `man fetch` says more of each.

            | \(tool) | fetch | |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            ## Not known

            These are refused as unknown: \(unknown.joined(separator: ", ")).

            """
    }

    static let curl = ForeignPage(
        tool: "curl",
        flags: ForeignFlag.curl,
        habits: [
            "A body goes to a file, under the URL's own name. Beside flags that are curl's alone "
                + "(`-f`, `-s`, `-S`, `-L`, `-m`, `-w`, `--retry`) it goes to standard output where that is "
                + "a pipe or a file.",
            "An error status of the server (400 and above) is exit status 8, without `-f` too, and its "
                + "body is not written.",
            "Redirects are followed, without `-L` too, unless `--max-redirs 0` forbids it, `--write-out` "
                + "shows where one leads, or the body goes to `/dev/null` beside `--write-out`.",
            "`-X METHOD` is for the first request. A redirect changes the method as in browsers: 303 makes "
                + "it GET, and so do 301 and 302 of a POST, unless `--post301` or `--post302` says otherwise.",
            "Cookies that a server sets are sent with later requests of the run, without `-b` too.",
            "User and password are sent at once beside flags that are curl's alone. Otherwise they wait "
                + "until the server asks, unless `--auth basic` says so.",
            "A failed transfer is tried again, five times in all, and a download goes on where it "
                + "stopped.",
            "A file has its name only when it is whole. Until then it is `NAME.part`, or has none.",
            "Several URLs are fetched at once.",
        ],
        neighbour: "--silent"
    )

    static let wget = ForeignPage(
        tool: "wget",
        flags: ForeignFlag.wget,
        habits: [
            "Nothing follows links: recursion, mirrors of sites and rewritten pages are not part of fetch.",
            "A file has its name only when it is whole. `-O FILE` replaces an older file then, and "
                + "leaves no empty file behind an error.",
            "The query of a URL is no part of a file's name.",
            "The response to `--post-data` and its like goes to standard output.",
            "A POST is not repeated once a part of it was sent.",
            "Several URLs are fetched at once, unless `--wait` says otherwise.",
        ],
        neighbour: nil
    )
}
