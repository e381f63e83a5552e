extension PastedSpelling {
    /// Flags that are unsupported or ambiguous.
    static let refused: [PastedSpelling] =
        letters + [
            PastedSpelling(
                [
                    "--recursive", "--mirror", "--page-requisites", "--level", "--no-parent", "-np",
                    "--accept", "--reject", "--accept-regex", "--reject-regex", "--domains",
                    "--exclude-domains", "--span-hosts", "--convert-links", "--adjust-extension",
                    "--backup-converted", "--follow-tags", "--ignore-tags", "--relative",
                    "--include-directories", "--exclude-directories", "--delete-after",
                    "--no-remove-listing", "--strict-comments", "--html-extension",
                ],
                reason: "part of wget's recursion",
                hint: recursion
            ),
            PastedSpelling(
                ["--execute"],
                reason: "a .wgetrc command in wget, which has no meaning here",
                hint: "omit robots=off, robots.txt is never read; other settings are flags"
            ),
            PastedSpelling(
                [
                    "--passive-ftp", "--no-passive-ftp", "--no-glob", "--retr-symlinks", "--quote",
                    "--list-only", "--use-ascii",
                ],
                reason: "part of FTP",
                hint: "only http, https, file and data can be fetched"
            ),
            PastedSpelling(
                ["--next", "-:"],
                reason: "the start of another request in curl",
                hint: "run fetch once for each request"
            ),
            PastedSpelling(
                ["--tr-encoding"],
                reason: "a compressed transfer in curl, which accepts an incomplete one",
                hint: "use --compressed"
            ),
            PastedSpelling(["--libcurl"], reason: "source code to be written by curl"),
            PastedSpelling(["--engine"], reason: "an engine of OpenSSL in curl"),
            PastedSpelling(
                ["--http3", "--http3-only"],
                reason: "HTTP/3, which this libcurl does not support",
                hint: "use --http2"
            ),
            PastedSpelling(
                ["--http2-prior-knowledge"],
                reason: "HTTP/2 without negotiation, in curl",
                hint: "use --http2, which falls back to HTTP/1.1"
            ),
            PastedSpelling(
                ["--dns-servers", "--dns-interface", "--dns-ipv4-addr", "--dns-ipv6-addr"],
                reason: "a choice of name servers, which needs a libcurl with c-ares",
                hint: "use --resolve HOST:PORT:ADDRESS"
            ),
            PastedSpelling(
                ["--doh-url"],
                reason: "DNS over HTTPS in curl",
                hint: "use --resolve HOST:PORT:ADDRESS"
            ),
            PastedSpelling(
                ["--save-headers"],
                reason: "the header in the file before the body, in wget",
                hint: "use --dump-header FILE"
            ),
            PastedSpelling(
                ["--trace", "--trace-ascii", "--trace-time", "--trace-ids", "--debug"],
                reason: "a record of all that is sent and received",
                hint: "use --verbose"
            ),
            PastedSpelling(
                ["--base", "--force-html"],
                reason: "part of reading URLs from HTML, in wget",
                hint: "use --input-file FILE with one URL on each line"
            ),
            PastedSpelling(
                ["--quota"],
                reason: "the bytes of all downloads together, in wget",
                hint: "--max-filesize SIZE limits each"
            ),
            PastedSpelling(["--proxy-header"], reason: "a header line for a proxy in curl"),
        ]

    /// Single letters that are not fetch's own; `AmbiguousLetter` checks the others.
    private static let letters = [
        PastedSpelling(["-l"], reason: "the depth of wget's recursion", hint: recursion),
        PastedSpelling(
            ["-E"],
            reason: "renaming to .html in wget, the client certificate in curl",
            hint: "use --certificate FILE for the client certificate"
        ),
        PastedSpelling(
            ["-K"],
            reason: "a file of options in curl's format",
            hint: "use --config FILE with one flag on each line, with its dashes, and no URL"
        ),
        PastedSpelling(
            ["-B"],
            reason: "the base of relative URLs in wget, ASCII in curl's FTP",
            hint: "use --input-file FILE with one complete URL on each line"
        ),
        PastedSpelling(
            ["-Q"],
            reason: "the bytes of all downloads together in wget, part of FTP in curl",
            hint: "--max-filesize SIZE limits each"
        ),
        PastedSpelling(["-M"], reason: "the manual in curl", hint: "man fetch, or --help all"),
        PastedSpelling(["-2", "-3"], reason: "SSL 2 or 3, which is not supported any more"),
    ]
}
