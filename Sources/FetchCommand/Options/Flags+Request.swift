extension Flags {
    /// The request line and the header.
    static let request: [Flag] = [
        Flag(
            ["--request", "-X", "--method"],
            value: "METHOD",
            kind: .choice(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
            section: .request,
            help: "use METHOD instead of the one that follows from the body"
        ) { options, value throws(UsageError) in
            options.method = try HTTPMethod(value)
        },
        Flag(
            ["--head", "-I"],
            section: .request,
            help: "ask for the header alone, and print it"
        ) { $0.head = true },
        Flag(
            ["--header", "-H"],
            value: "LINE",
            section: .request,
            help: "set 'Name: value', remove 'Name:', or send 'Name;' empty",
            details: """
                May be repeated. Lines that describe the connection or the length of the body, such \
                as Content-Length, Transfer-Encoding and Connection, are refused.
                """
        ) { options, value throws(UsageError) in
            options.headers.append(try HeaderEdit(value))
        },
        Flag(
            ["--user-agent", "-U"],
            value: "TEXT",
            section: .request,
            help: "send TEXT as User-Agent; empty sends none"
        ) { options, value throws(UsageError) in
            options.userAgent = try value.headerText()
        },
        Flag(
            ["--referer"],
            value: "URL",
            kind: .url,
            section: .request,
            help: "send URL as Referer"
        ) { options, value throws(UsageError) in
            options.referer = try value.headerText()
        },
    ]
}

extension FlagValue {
    /// The text as a header's value.
    fileprivate func headerText() throws(UsageError) -> String {
        let trimmed = HeaderText.trimmed(text[...])
        guard HeaderText.isClean(trimmed) else {
            throw invalidSecret("the value holds a CR, an LF or a NUL")
        }
        return trimmed
    }
}
