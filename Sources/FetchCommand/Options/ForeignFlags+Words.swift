extension ForeignFlags {
    /// Words of one meaning.
    struct Words: Sendable {
        let names: [String]
        let reason: String
        let hint: String

        fileprivate init(_ names: String..., reason: String, hint: String) {
            self.names = names
            self.reason = reason
            self.hint = hint
        }
    }

    /// Long flags of curl and wget, and what is meant by them here.
    static let words: [Words] = [
        Words("--anyauth", reason: "any method in curl", hint: "that is --auth any, as ever"),
        Words("--basic", reason: "the method Basic in curl", hint: "that is --auth basic"),
        Words("--digest", reason: "the method Digest in curl", hint: "that is --auth digest"),
        Words("--ntlm", reason: "the method NTLM in curl", hint: "that is --auth ntlm"),
        Words(
            "--negotiate",
            reason: "the method Negotiate in curl",
            hint: "that is --auth negotiate"
        ),
        Words(
            "--location-trusted",
            reason: "credentials for wherever a redirect leads, in curl",
            hint: "fetch keeps them with the origin that they were given for"
        ),
        Words(
            "--netrc",
            "--netrc-optional",
            reason: "the use of .netrc in curl",
            hint: "it is used in any case; --netrc-file FILE names another"
        ),
        Words(
            "--retry",
            reason: "the tries after the first in curl",
            hint: "all of them are --tries N"
        ),
        Words(
            "--retry-delay",
            reason: "a wait between tries that stays the same, in curl",
            hint: "waits grow from try to try"
        ),
        Words(
            "--retry-max-time",
            reason: "the time for all tries in curl",
            hint: "that is --max-time SECONDS"
        ),
        Words(
            "--continue-at",
            "--start-pos",
            reason: "where to continue, which can be anywhere",
            hint: "a part is continued by --continue, and --range N- fetches from there on"
        ),
        Words(
            "--etag-compare",
            "--etag-save",
            reason: "a tag in a file of its own, in curl",
            hint: "--timestamping keeps it with the file and asks by it"
        ),
        Words(
            "--time-cond",
            reason: "a date to ask by in curl",
            hint: "--timestamping asks by the file that is there"
        ),
        Words(
            "--data-raw",
            "--data-ascii",
            "--body-data",
            reason: "a spelling of --data in curl or wget",
            hint: "that is --data DATA, where DATA does not begin with @"
        ),
        Words(
            "--data-urlencode",
            reason: "data that curl encodes",
            hint: "encode it before, for --data DATA"
        ),
        Words(
            "--get",
            reason: "a query made of --data in curl",
            hint: "write the query into the URL"
        ),
        Words(
            "--include",
            "--show-headers",
            reason: "the header before the body, in curl",
            hint: "--server-response shows it, --dump-header FILE keeps it"
        ),
        Words(
            "--save-headers",
            reason: "the header before the body, in wget",
            hint: "--server-response shows it, --dump-header FILE keeps it"
        ),
        Words(
            "--fail-with-body",
            reason: "an error's body with an error's status, in curl",
            hint: "that is --content-on-error"
        ),
        Words(
            "--remote-name",
            "--remote-name-all",
            reason: "the URL's name for the file, in curl",
            hint: "that is what happens without --output"
        ),
        Words(
            "--remote-header-name",
            reason: "the server's name for the file, in curl",
            hint: "that is --content-disposition"
        ),
        Words(
            "--trust-server-names",
            reason: "the name of what a redirect leads to, in wget",
            hint: "the name is that of the URL given, or the server's with --content-disposition"
        ),
        Words(
            "--output-dir",
            "--create-dirs",
            reason: "a folder to save in, in curl",
            hint: "that is --directory-prefix DIR, which is made if need be"
        ),
        Words("--spider", reason: "a look without a body, in wget", hint: "that is --head"),
        Words(
            "--recursive",
            "--mirror",
            "--page-requisites",
            reason: "part of recursion, and recursion is not part of fetch",
            hint: nothing
        ),
        Words(
            "--speed-limit",
            "--speed-time",
            reason: "the slowest rate that curl bears",
            hint: "--timeout SECONDS ends what is silent"
        ),
        Words(
            "--no-progress-meter",
            reason: "no progress, in curl",
            hint: "that is --progress none"
        ),
        Words("--progress-bar", reason: "a bar, in curl", hint: "that is --progress bar"),
        Words(
            "--connect-to",
            reason: "another host to connect to, in curl",
            hint: "--resolve HOST:PORT:ADDRESS names its address"
        ),
        Words(
            "--socks4",
            "--socks4a",
            "--socks5",
            "--socks5-hostname",
            reason: "a kind of proxy, in curl",
            hint: "that is --proxy with the kind in its URL: socks5h://HOST"
        ),
        Words(
            "--tlsv1",
            "--tlsv1.0",
            "--tlsv1.1",
            "--tlsv1.2",
            "--tlsv1.3",
            reason: "the lowest version of TLS, in curl",
            hint: "that is --tls-min VERSION"
        ),
        Words(
            "--secure-protocol",
            reason: "the version of TLS, in wget",
            hint: "that is --tls-min VERSION and --tls-max VERSION"
        ),
    ]
}
