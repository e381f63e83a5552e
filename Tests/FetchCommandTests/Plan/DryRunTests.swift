import Testing

@testable import FetchCommand

@Suite struct DryRunTests {
    @Test func download() throws {
        #expect(
            DryRun.text(of: try plan("http://me:s3cret@h/a%20b", "-H", "Accept:")) == """
                GET http://(redacted)@h/a%20b
                User-Agent: fetch/\(Version.number)
                (no Accept)
                body: none
                task: download to a b (numbered if it exists)

                """
        )
    }

    @Test func aURLWithinAnotherShowsNoPassword() throws {
        let text = DryRun.text(
            of: try plan(
                "http://h/?u=http://me:s3cret@h/",
                "-H",
                "Link: <http://h/a>,<http://me:s3cret@h/b>",
                "--referer",
                "http://me:s3cret@h/?http://me:s3cret@h/"
            )
        )
        #expect(text.hasPrefix("GET http://h/?u=http://(redacted)@h/\n"))
        #expect(text.contains("Link: <http://h/a>,<http://(redacted)@h/b>\n"))
        #expect(!text.contains("s3cret"))
    }

    @Test func upload() throws {
        let text = DryRun.text(
            of: try plan(
                "h/",
                "-d",
                "x",
                "-O",
                "nowhere.tmp",
                "-H",
                "Authorization: s3cret",
                "-H",
                "cookie: s3cret",
                "-H",
                "Proxy-Authorization: s3cret"
            )
        )
        #expect(
            text == """
                POST https://h/
                User-Agent: fetch/\(Version.number)
                Accept: */*
                Content-Type: application/x-www-form-urlencoded
                Authorization: (redacted)
                cookie: (redacted)
                Proxy-Authorization: (redacted)
                body: data, 1 byte
                task: upload, response to nowhere.tmp

                """
        )
    }

    @Test(arguments: [
        (["-O-"], "body: none\ntask: data to standard output\n"),
        (["-I"], "body: none\ntask: header to standard output\n"),
        (["-O", "/dev/null"], "task: download to /dev/null\n"),
        (["--upload-file", "-"], "body: standard input, length unknown\n"),
        (["--upload-file", "/dev/null"], "body: file /dev/null, length unknown\n"),
        (["-F", "a=b"], "body: form of 1 part, 61 bytes\n"),
        (["-F", "a=b", "-F", "c=@-"], "body: form of 2 parts, length unknown\n"),
        (["-d", ""], "body: data, 0 bytes\n"),
        (["--referer", "http://me:s3cret@r/"], "Referer: http://r/\n"),
        (["-H", "A: \u{1b}[31m"], "A: \\u{1b}[31m\n"),
    ])
    func parts(_ arguments: [String], _ part: String) throws {
        #expect(DryRun.text(of: try plan(arguments + ["h/x"])).contains(part))
    }

    @Test func tasksAreSeparated() throws {
        #expect(DryRun.text(of: try plan("a", "b")).split(separator: "\n\n").count == 2)
    }
}
