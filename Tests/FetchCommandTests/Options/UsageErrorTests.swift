import Testing

@testable import FetchCommand

@Suite struct UsageErrorTests {
    @Test(
        arguments: [
            (
                UsageError.unknownFlag("--x", near: ["--y"]), "unknown option --x",
                "did you mean --y?"
            ),
            (
                .unknownFlag("--x", near: []), "unknown option --x",
                "'fetch --help' lists the options"
            ),
            (.missingValue(flag: "-O", placeholder: "FILE"), "-O: missing value (-O FILE)", nil),
            (.unexpectedValue(flag: "--quiet"), "--quiet takes no value", nil),
            (
                .invalidValue(flag: "-T", value: "x\u{1b}", reason: "is bad", hint: "h"),
                "-T: 'x\\u{1b}' is bad", "h"
            ),
            (.conflict("-4", "-6", reason: "r"), "-4 and -6 cannot be combined: r", nil),
            (.missingURL(hint: "h"), "missing URL", "h"),
            (.invalidURL("u", reason: "r", hint: nil), "'u': r", nil),
            (.foreignFlag(flag: "-p", reason: "r", hint: "h"), "-p: r", "h"),
        ] as [(UsageError, String, String?)]
    )
    func words(_ error: UsageError, _ message: String, _ hint: String?) {
        #expect(error.message == message)
        #expect(error.hint == hint)
    }

    @Test(arguments: [
        ("http://me:pa/ss@host/", "http://(redacted)@host/"), ("me:pw@host", "(redacted)@host"),
        ("https://host/x", "https://host/x"), ("http://a@b@c/", "http://(redacted)@c/"),
        ("http://me:pw@\u{301}h", "http://(redacted)@\u{301}h"), ("://x:y@h", "(redacted)@h"),
    ])
    func redaction(_ url: String, _ shown: String) {
        #expect(Redaction.url(url) == shown)
    }

    @Test func flagNamesWithControlsAreEscaped() {
        #expect(usageError(["--\u{1b}[31m"])?.message == "unknown option --\\u{1b}[31m")
    }

    @Test func valuesOfUnknownFlagsAreNotShown() {
        #expect(usageError(["--pasword=s3cret", "u"])?.message == "unknown option --pasword")
    }
}
