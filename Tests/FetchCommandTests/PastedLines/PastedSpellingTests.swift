import Testing

@testable import FetchCommand

@Suite struct PastedSpellingTests {
    /// Foreign spellings, and the equal ones of fetch.
    @Test(
        arguments: [
            (["--retry", "3"], ["--tries", "4"]), (["--retry=0"], ["--tries", "1"]),
            (["--tlsv1.2"], ["--tls-min", "1.2"]), (["-1"], ["--tls-min", "1.0"]),
            (["--secure-protocol=TLSv1_3"], ["--tls-min", "1.3"]), (["--secure-protocol=auto"], []),
            (["--https-only"], ["--proto", "=https"]), (["--digest"], ["--auth", "digest"]),
            (["--anyauth"], ["--auth", "any"]), (["--auth-no-challenge"], ["--auth", "basic"]),
            (["-C", "-"], ["--continue"]), (["-C", "5"], ["--range", "5-"]), (["-C", "0"], []),
            (["--start-pos=7"], ["--range", "7-"]), (["-#"], ["--progress", "bar"]),
            (["--progress=dot:giga"], ["--progress", "lines"]),
            (["--progress=bar:force:noscroll"], ["--progress", "bar"]),
            (["--no-progress-meter"], ["--progress", "none"]), (["-n"], ["--auth", "basic"]),
            (["-Z"], []),
            (["-nd"], []),
            (["--socks5", "h:1"], ["--proxy", "socks5://h:1"]),
            (["--socks5-hostname", "h"], ["--proxy", "socks5h://h"]),
            (["--dns-timeout=5"], ["--connect-timeout", "5"]),
            (["--connect-timeout=9", "--dns-timeout=5"], ["--connect-timeout", "9"]),
            (["--spider"], ["--head", "--output", "/dev/null"]),
            (["-m", "5"], ["--max-time", "5"]), (["-cN"], ["--continue", "--timestamping"]),
            (["-G", "-d", "a=b c"], ["--url-query", "+a=b c"]),
            (["--prefer-family=IPv4"], []), (["--stderr", "f"], ["--output-file", "f"]),
            (["--fail-with-body"], ["--content-on-error"]),
            (["-p", "-x", "p:1"], ["--proxytunnel", "-x", "p:1"]),
            (["-sxp:1", "-p"], ["-s", "--proxytunnel", "-x", "p:1"]),
            (
                ["-C", "5", "--upload-file", "/etc/passwd"],
                ["--upload-offset", "5", "--upload-file", "/etc/passwd"]
            ),
            (["--upload-file", "/etc/passwd", "-C", "0"], ["--upload-file", "/etc/passwd"]),
        ] as [([String], [String])]
    )
    func means(_ pasted: [String], _ own: [String]) throws {
        let one = try plan(pasted + ["h/x"])
        let other = try plan(own + ["h/x"])
        #expect(one.tasks == other.tasks)
        #expect(described(one.session) == described(other.session))
        #expect(one.responses == other.responses)
        #expect(one.messages.progress == other.messages.progress)
        #expect(one.messages.log == other.messages.log)
    }

    @Test(
        arguments: [
            (["-b", "k=v", "h/x"], "--cookie"), (["-b", "jar", "http://h/x"], "--load-cookies"),
            (["-bk=v", "h/x"], "--cookie"), (["-bcookies.txt", "h/x"], "--load-cookies"),
            (["-c", "jar", "http://h/x"], "--save-cookies"),
            (["-b", "cookies.jar", "localhost:8080/x"], "--load-cookies"),
            (["-c", "cookies.jar", "h.example/x"], "--save-cookies"),
            (["-i", "h.example"], "--include"),
            (["-ccookies.txt", "h/x"], "--save-cookies"),
            (["-c", "-", "http://h/x"], "--save-cookies"),
            (["-c", "cookies.txt"], "--save-cookies"),
            (["-x", "16", "h/x"], "--split"), (["-s", "16", "h/x"], "--split"),
            (["-w", "2", "h/x"], "--wait"), (["-m", "h/x"], "mirroring"),
            (["-r", "h/x"], "recursion"),
            (["-A", "jpg,png", "h/x"], "recursion"), (["-R", "*.gif", "http://h/x"], "recursion"),
            (["-e", "use_proxy=yes", "h/x"], "robots"),
            (["-D", "example.com", "http://h/x"], "recursion"),
            (["-U", "me:secret", "h/x"], "--proxy-user"),
            (["-o", "x.log", "-O", "y", "h/x"], "-a x.log"),
            (["-O", "h.example/x", "-O", "y"], "before each URL"),
            (["-O", "h/a", "-O", "h/b", "http://h/c"], "before each URL"),
            (["--proto-default", "http", "-i", "/etc/passwd"], "--input-file"),
            (["-o", "log", "-T", "5", "h/x"], "-a log"), (["-R", "-Rgif", "h/x"], "recursion"),
            (["-z", "y", "-o", "x", "h/x"], "neither a date"), (["-Hk", "h/x"], "recursion"),
            (["-o", "log.txt", "-nv", "h/x"], "-a log.txt"), (["-d", "http://h/x"], "--verbose"),
            (["-x", "http://h/x"], "--force-directories"), (["-pk", "h/x"], "--proxytunnel"),
            (["-p", "http://h/x"], "recursion"), (["-sp", "h/x"], "--proxytunnel"),
        ] as [([String], String)]
    )
    func oneLetterTwoTools(_ arguments: [String], _ word: String) throws {
        let error = try #require(usageError(arguments))
        #expect("\(error.message) \(error.hint ?? "")".contains(word), "\(error)")
    }

    /// Letters that have fetch's meaning unless other flags contradict it.
    @Test(arguments: [
        ["-c", "h.example/x"], ["-b", "h.example/x"], ["-c", "127.0.0.1/x"], ["-cq", "h/x"],
        ["-bq", "http://h/x"], ["-cO", "f", "h/x"], ["-s", "h/x"], ["-R", "http://h/x"],
        ["-A", "Mozilla/5.0 (X11, Linux)", "h/x"], ["-e", "http://h/?a=b", "h/x"],
        ["-D", "head.txt", "http://h/x"], ["-o", "x.log", "h/x"], ["-U", "me/1.0 (a:b)", "h/x"],
        ["-w", "%{http_code}", "h/x"], ["-r", "0-4", "h/x"], ["-S", "-o", "/dev/null", "h/x"],
        ["-T", "5", "-o", "x.log", "h/x.log?y"],
        ["-q", "--write-out", "%{url}", "-o", "log", "h/x"],
        ["-z", "./x", "-o", "x", "h/y"], ["-z", "x", "-O", "http://h/x"], ["-t", "inf", "h/x"],
        ["-s", "--bearer", "env:HOME", "http://u:p@h/x"],
        ["-L", "--location-trusted", "--bearer", "env:HOME", "http://h/x"],
        ["-N", "-d", "{}", "h/x"], ["-si", "h.example"], ["-i", "urls.lst"],
        ["-c", "h.example", "-O", "../f", "-t", "3"], ["-b", "h.example", "-x", "p.example:1"],
        ["-q", "-i", "http://h/x"], ["-N", "-i", "http://h/x"],
    ])
    func isTaken(_ arguments: [String]) {
        #expect(usageError(arguments) == nil)
    }

    @Test(arguments: [
        ["-nv", "-i", "http://h/list"], ["-q", "-P", "d", "-i", "http://h/list"],
        ["-q", "-t", "2", "-i", "http://h/list"], ["--spider", "-i", "http://h/list"],
        ["-i", "http://h/list", "-P", "d"], ["-i", "http://h/list", "-nv"],
        ["-nv", "-L", "-i", "http://h/list"],
    ])
    func noListIsReadFromAURL(_ arguments: [String]) {
        #expect(usageError(arguments)?.message.contains("not from a URL") == true)
    }

    @Test(
        arguments: [
            (["-s", "http://u:p@h/x"], "http://u:p@h/x", true, false),
            (["-s", "http://u@h/x"], "http://u:@h/x", true, false),
            (["http://u@h/x"], "http://u@h/x", false, false),
            (["-sn", "http://h/x"], "http://h/x", true, true),
            (["-sn", "http://u@h/x"], "http://u@h/x", true, true),
            (["-s", "--netrc-file", "/etc/passwd", "http://h/x"], "http://h/x", true, true),
            (["-s", "--anyauth", "http://u:p@h/x"], "http://u:p@h/x", false, false),
            (["-s", "http://h/x"], "http://h/x", false, false),
        ] as [([String], String, Bool, Bool)]
    )
    func credentialsAtOnce(
        _ arguments: [String],
        _ url: String,
        _ isAtOnce: Bool,
        _ isNetrcAtOnce: Bool
    ) throws {
        let options = try FlagParser.parse(arguments)
        #expect(options.urls == [url])
        #expect((options.authentication == .basic) == isAtOnce)
        #expect(options.sendsNetrcAtOnce == isNetrcAtOnce)
    }

    @Test(
        arguments: [
            (["-w", "%{http_code}", "-o", "/dev/null"], true),
            (["-w", "%{redirect_url}", "-o", "x"], true),
            (["--write-out", "%{http_code}", "-o", "/dev/null"], true),
            (["-w", "%{http_code}", "-o", "/dev/null", "-L"], false),
            (["-w", "%{http_code}", "-o", "/dev/null", "--max-redirs", "3"], true),
            (["-w", "%{http_code}", "-o", "/dev/null", "--max-redirect", "3"], false),
            (["-w", "@fmt", "-o", "/dev/null"], true), (["-sw", "%header{Location}"], true),
            (["--max-redirs", "0"], true), (["--max-redirs", "0", "-L"], false),
            (["-w", "%{http_code}", "-o", "x"], false),
            (["-w", "%{http_code}", "--spider"], false),
            (["-w", "%{time_total}", "-o", "/dev/null"], true),
        ] as [([String], Bool)]
    )
    func reportsARedirect(_ arguments: [String], _ stays: Bool) throws {
        let options = try FlagParser.parse(arguments + ["http://h/x"])
        #expect((options.session.redirects == .none) == stays)
    }

    @Test func theMethodOfWget() throws {
        for (flag, method) in [("--method", "POST"), ("-X", "post")] {
            let options = try FlagParser.parse([flag, "post", "-d", "", "h/x"])
            #expect(options.method == method)
        }
    }

    @Test func theDefaultScheme() throws {
        let urls = ["127.0.0.1/q?u=http://x", "http://h/x", "data:,x", "h"]
        let options = try FlagParser.parse(["--proto-default", "https"] + urls)
        #expect(
            options.urls == [
                "https://127.0.0.1/q?u=http://x", "http://h/x", "data:,x", "https://h",
            ]
        )
    }

    @Test(
        arguments: [
            ("=https", ["https"]), ("-all,https", ["https"]), ("=http,https", ["http", "https"]),
            ("-http", ["data", "file", "https"]), ("=https,+http", ["http", "https"]), ("-all", []),
            ("=ftp", []), ("https", ["data", "file", "http", "https"]),
        ] as [(String, [String])]
    )
    func schemes(_ list: String, _ allowed: [String]) throws {
        let list = try SchemeList(FlagValue(flag: "--proto", text: list))
        #expect(["data", "file", "http", "https"].filter(list.allows) == allowed)
    }

    @Test(arguments: [
        ("a b", "a+b"), ("=a=b", "a%3Db"), ("n=a b", "n=a+b"), ("n=a@b", "n=a%40b"),
        ("~-._", "~-._"),
    ])
    func encoded(_ text: String, _ body: String) throws {
        #expect(try plan("--data-urlencode", text, "h/x").tasks[0].body == .data(Array(body.utf8)))
    }

    @Test func theQueryIsAdded() throws {
        #expect(
            try plan("-G", "-d", "a=1", "--data-urlencode", "b=c d", "h/x?y=2#z").tasks[0].address
                .text
                == "https://h/x?y=2&a=1&b=c+d#z"
        )
        #expect(try plan("--url-query", "a=b", "h").tasks[0].address.text == "https://h/?a=b")
    }
}
