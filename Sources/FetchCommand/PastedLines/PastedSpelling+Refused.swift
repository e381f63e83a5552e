extension PastedSpelling {
    /// What cannot be done here, or could mean two things.
    static let refused: [PastedSpelling] =
        letters + [
            PastedSpelling(
                "--recursive",
                "--mirror",
                "--page-requisites",
                "--level",
                "--no-parent",
                "-np",
                "--accept",
                "--reject",
                "--accept-regex",
                "--reject-regex",
                "--domains",
                "--exclude-domains",
                "--span-hosts",
                "--convert-links",
                "--adjust-extension",
                "--backup-converted",
                "--follow-tags",
                "--ignore-tags",
                "--relative",
                "--include-directories",
                "--exclude-directories",
                "--delete-after",
                "--no-remove-listing",
                "--strict-comments",
                "--html-extension",
                reason: "part of wget's recursion",
                hint: recursion
            ),
            PastedSpelling(
                "--execute",
                reason: "a command of .wgetrc in wget, which has no meaning here",
                hint: "leave robots=off out, no robots.txt is asked for; others are flags here too"
            ),
            PastedSpelling(
                "--passive-ftp",
                "--no-passive-ftp",
                "--no-glob",
                "--retr-symlinks",
                "--quote",
                "--list-only",
                "--use-ascii",
                reason: "part of FTP",
                hint: "only http, https, file and data can be fetched"
            ),
            PastedSpelling(
                "--next",
                "-:",
                reason: "the begin of another request in curl",
                hint: "run fetch once for each"
            ),
            PastedSpelling(
                "--tr-encoding",
                reason: "a compressed transfer in curl, which takes one that was cut off for whole",
                hint: "--compressed asks for a compressed body"
            ),
            PastedSpelling("--libcurl", reason: "source code to be written by curl"),
            PastedSpelling("--engine", reason: "an engine of OpenSSL in curl"),
            PastedSpelling(
                "--http3",
                "--http3-only",
                reason: "HTTP/3, which this libcurl does not speak",
                hint: "--http2 is the newest"
            ),
            PastedSpelling(
                "--http2-prior-knowledge",
                reason: "HTTP/2 without asking, in curl",
                hint: "--http2 asks for it, and goes on without where it is refused"
            ),
            PastedSpelling(
                "--dns-servers",
                "--dns-interface",
                "--dns-ipv4-addr",
                "--dns-ipv6-addr",
                reason: "a choice of name servers, which needs c-ares, and this libcurl has none",
                hint: "--resolve HOST:PORT:ADDRESS names an address"
            ),
            PastedSpelling(
                "--doh-url",
                reason: "DNS over HTTPS in curl",
                hint: "--resolve HOST:PORT:ADDRESS names an address"
            ),
            PastedSpelling(
                "--save-headers",
                reason: "the head in the file before the body, in wget",
                hint: "--dump-header FILE keeps it in another"
            ),
            PastedSpelling(
                "--trace",
                "--trace-ascii",
                "--trace-time",
                "--trace-ids",
                "--debug",
                reason: "a record of all that is sent and received",
                hint: "--verbose tells what happens"
            ),
            PastedSpelling(
                "--base",
                "--force-html",
                reason: "part of reading URLs from HTML, in wget",
                hint: "--input-file FILE takes one URL a line"
            ),
            PastedSpelling(
                "--quota",
                reason: "the bytes of all downloads together, in wget",
                hint: "--max-filesize SIZE limits each"
            ),
            PastedSpelling("--proxy-header", reason: "a header line for a proxy in curl"),
        ]

    /// Single letters; those that are fetch's own as well are weighed by `LetterDoubt`.
    private static let letters = [
        PastedSpelling("-l", reason: "the depth of wget's recursion", hint: recursion),
        PastedSpelling(
            "-E",
            reason: "renaming to .html in wget, the client certificate in curl",
            hint: "the client certificate is --certificate FILE"
        ),
        PastedSpelling(
            "-K",
            reason: "a file of flags in curl, which has a form of its own",
            hint: "--config FILE has one flag a line, with its dashes, and no URL"
        ),
        PastedSpelling(
            "-B",
            reason: "the base of relative URLs in wget, ASCII in curl's FTP",
            hint: "--input-file FILE takes one whole URL a line"
        ),
        PastedSpelling(
            "-Q",
            reason: "the bytes of all downloads together in wget, part of FTP in curl",
            hint: "--max-filesize SIZE limits each"
        ),
        PastedSpelling(
            "-M",
            reason: "the manual in curl",
            hint: "man fetch, or --help all"
        ),
        PastedSpelling("-2", "-3", reason: "SSL of before TLS, which is not spoken any more"),
    ]
}
