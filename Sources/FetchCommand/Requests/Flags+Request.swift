import URLLoading

extension Flags {
    static let request: [Flag] = [
        Flag(
            ["--request", "-X", "--method"],
            value: "METHOD",
            kind: .suggestion(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
            help: "use METHOD as the request method",
            details: """
                Any word is allowed except CONNECT. It is sent as it is written, with --method in \
                capitals.
                """
        ) { $0.method = try $1.method() },
        Flag(
            ["--request-target"],
            value: "TARGET",
            excludes: .init(
                "--continue",
                "--timestamping",
                because: "a file is continued or compared by its URL"
            ),
            background: .asksForURLs,
            help: "send TARGET on the request line instead of the URL's path and query",
            details: """
                For example: -X OPTIONS --request-target '*' URL. TARGET is sent as it is \
                written, to the URL's own server. It may have neither blanks nor characters \
                beyond ASCII. After a redirect, the new URL is requested as usual.
                """
        ) { options, value in
            guard URLRequest.isRequestTarget(value.text) else {
                throw value.invalid(
                    "is not a request target",
                    hint: "it is one word of visible ASCII; a blank is written %20"
                )
            }
            options.requestTarget = value.text
        },
        Flag(
            ["--path-as-is"],
            help: "leave /../ and /./ in the URL's path"
        ) { $0.transport.keepsDotSegments = true },
        Flag(
            ["--head", "-I"],
            background: .makesFiles,
            help: "request the header only, and print it",
            details: """
                It is printed on standard output, or saved in the FILE of --output. On standard \
                output, the headers of redirects come first, and the header of an error is \
                printed too.
                """
        ) { $0.head = true },
        Flag(
            ["--include", "--show-headers"],
            excludes: .init(
                "--auto",
                "--continue",
                because: "a file contains only the body; --dump-header FILE saves the header"
            ),
            background: .makesFiles,
            help: "write the header before the body, both to standard output",
            details: """
                As with --head, the headers of redirects come first. The header of an error is \
                written too, but its body only with --content-on-error. As in wget, -i is \
                --input-file, unless a URL follows and no such file exists.
                """
        ) { $0.responses.includesHead = true },
        Flag(
            ["--header", "-H"],
            value: "LINE",
            repeats: true,
            reads: .init { $0.headers.map(\.path) },
            secret: .header,
            help:
                "set 'Name: value', remove 'Name:', or send 'Name;' empty; @FILE or @- reads such lines",
            details: """
                In a value, `env:NAME` in capitals is replaced by that environment variable, as \
                in 'Authorization: Bearer env:TOKEN'. The header is then a credential, as with \
                --secret-header. The lines of @FILE are used as they are. Both ways keep a \
                secret off the command line, where other users can see it. A line replaces the \
                header that fetch would send under that name. Authorization, Cookie, \
                Proxy-Authorization, and the headers of --secret-header, are never sent to an \
                origin other than the URL's, and never printed. Lines that describe the \
                connection or the length of the body, such as Content-Length, Transfer-Encoding \
                and Connection, are refused.
                """
        ) { options, value in
            let edit = try HeaderEdit(value)
            options.headers.append(edit)
            if HeaderVariables.isUsed(in: value.text[...]), !edit.name.isEmpty {
                options.transport.secretHeaders.append(edit.name)
            }
        },
        Flag(
            ["--user-agent", "-U", "-A"],
            value: "TEXT",
            help: "send TEXT as User-Agent; empty sends none",
            details: "The default is fetch/ and the version."
        ) { $0.userAgent = try $1.headerText() },
        Flag(
            ["--referer", "-e"],
            value: "URL",
            secret: .userInfo,
            help: "send URL as Referer, without a name and a password; empty sends none"
        ) { options, value in
            guard !value.text.utf8.suffix(5).elementsEqual(";auto".utf8) else {
                throw value.invalid(
                    "asks for a referer that changes with each redirect, in curl",
                    hint: "use --referer URL"
                )
            }
            let text = try value.headerText()
            // [RFC 9110 §10.1.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.3) forbids both.
            options.referer = UserInfo.removed(from: text)
        },
        Flag(
            ["--get", "-G"],
            help: "append --data and --data-urlencode to the URL's query, and use GET"
        ) { $0.getsData = true },
        Flag(
            ["--url-query"],
            value: "DATA",
            repeats: true,
            help: "append DATA to the query, encoded like --data-urlencode; +DATA as it is"
        ) { options, value in
            if value.text.utf8.first == UInt8(ascii: "+") {
                options.query.append(DataPiece(text: String(value.text.dropFirst())))
            } else {
                options.query.append(try DataPiece(encoding: value))
            }
        },
        Flag(
            ["--time-cond", "-z"],
            value: "DATE|FILE",
            background: .knowsNames,
            help:
                "fetch only if newer than DATE or FILE; with - before it, if older",
            details: """
                If there is nothing such, the exit status is 0, and no file is touched. DATE is \
                one of HTTP's formats, or 2026-01-31, optionally followed by 12:00:00.
                """
        ) { $0.timeCondition = try TimeCondition.field($1) },
    ]
}

extension FlagValue {
    /// Any token except CONNECT, which asks for a tunnel; case-sensitive (RFC 9110, 9.1).
    fileprivate func method() throws(UsageError) -> String {
        guard HTTPSyntax.isToken(text) else {
            throw invalid("is not a method", hint: "a method is a word such as GET or PATCH")
        }
        guard text != "CONNECT" else {
            throw invalid("requests a proxy tunnel", hint: "use --proxy")
        }
        return text
    }

    /// The text as a field's value, trimmed.
    fileprivate func headerText() throws(UsageError) -> String {
        let trimmed = HeaderText.trimmed(text[...])
        guard HeaderText.isClean(trimmed) else {
            throw invalidSecret("the value contains a CR, an LF or a NUL")
        }
        return trimmed
    }
}

extension Flags {
    static let redirects: [Flag] = [
        Flag(
            ["--redirect"],
            value: "WHICH",
            kind: .choice(RedirectChoice.allCases.map(\.rawValue)),
            background: .followsRedirects,
            help: "choose which redirects to follow: follow (all), same-origin or none",
            details: """
                With `same-origin`, a redirect to another scheme, host or port ends the task \
                with exit status 11. With `none`, the redirect itself is the response. \
                Credentials are never sent to another origin, whatever is chosen.
                """
        ) { $0.session.redirects = try $1.choice() },
        Flag(
            ["--proto-redir"],
            value: "LIST",
            background: .followsRedirects,
            help: "follow redirects only to these schemes, as in =https; else exit with 11",
            details: "LIST is written as for --proto. --proto applies to redirects too."
        ) { $0.session.redirectSchemes = try SchemeList($1) },
        Flag(
            ["--location-trusted"],
            background: .followsRedirects,
            help: "send user, password and cookies to any host after a redirect",
            details: """
                A warning is printed on standard error. The user and password are sent at once.
                """
        ) { $0.session.trustsRedirects = true },
        Flag(
            ["--max-redirect", "--max-redirs"],
            value: "N",
            help: "follow at most N redirects (20)",
            details: "If there are more, the exit status is 7."
        ) { $0.transport.maximumRedirects = try $1.integer(in: 0...Int(Int32.max)) },
        Flag(
            ["--post301"],
            help: "keep the method POST and its body after a 301",
            details: """
                Without this flag, POST becomes GET, as in browsers. After 307 and 308 it never \
                does.
                """
        ) { $0.transport.redirectsKeepingPost.insert(301) },
        Flag(
            ["--post302"],
            help: "keep the method POST and its body after a 302"
        ) { $0.transport.redirectsKeepingPost.insert(302) },
        Flag(
            ["--post303"],
            help: "keep the method POST and its body after a 303"
        ) { $0.transport.redirectsKeepingPost.insert(303) },
    ]
}

/// Which redirects are followed: `--redirect`.
enum RedirectChoice: String, CaseIterable, Sendable {
    case follow
    /// Only redirects to the same scheme, host and port.
    case sameOrigin = "same-origin"
    /// None: the 3xx response is the result.
    case none
}
