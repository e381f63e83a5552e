import Testing

@testable import FetchCommand

@Suite struct ConflictTests {
    @Test(arguments: [
        (["-d", "a", "-F", "a=b"], "--data", "--form"),
        (["-d", "a", "--json", "1"], "--data", "--json"),
        (["-d", "a", "--upload-file", "x"], "--data", "--upload-file"),
        (["-d", "a", "--post-file", "x"], "--data", "--post-file"),
        (["--json", "1", "-F", "a=b"], "--json", "--form"),
        (["--json", "1", "--upload-file", "x"], "--json", "--upload-file"),
        (["-F", "a=b", "--upload-file", "x"], "--form", "--upload-file"),
        (["-I", "-d", "a"], "--head", "--data"), (["-I", "-F", "a=b"], "--head", "--form"),
        (["-I", "--upload-file", "x"], "--head", "--upload-file"),
        (["-X", "HEAD", "-d", "a"], "--request HEAD", "--data"),
        (["-4", "-6"], "-4", "-6"), (["-I", "-X", "GET"], "--head", "--request"),
        (["-P", ".", "-d", "x"], "--directory-prefix", "--data"),
        (["--http1.1", "--http2"], "--http1.1", "--http2"),
        (["--tls-min", "1.3", "--tls-max", "1.2"], "--tls-min 1.3", "--tls-max 1.2"),
        (["-O", "f", "other"], "--output FILE", "several URLs"),
        (["-d", "@-", "-d", "@-"], "--data -", "--data -"),
        (["-F", "a=@-", "-F", "b=<-"], "--form -", "--form -"),
        (["-d", "@-", "-d", "x"], "--data @-", "another --data"),
        (["--json", "x", "--json", "@-"], "--json @-", "another --json"),
        (["--upload-file", "-", "other"], "standard input", "several URLs"),
        (["-d", "@-", "other"], "standard input", "several URLs"),
        (["-H", "@-", "-d", "@-"], "--header @-", "--data -"),
        (["-H", "@-", "--upload-file", "-"], "--header @-", "--upload-file -"),
        (["-H", "@-", "-F", "a=@-"], "--header @-", "--form -"),
        (["-H", "@-", "-i", "-"], "--header @-", "--input-file -"),
        (["-H", "@-", "--checksum-from", "-"], "--header @-", "--checksum-from -"),
        (["-H", "@-", "--bearer", "@-"], "--header @-", "--bearer @-"),
        (["-H", "@-", "-H", "@-"], "--header @-", "another --header @-"),
        (["--events-file", "x", "--events-fd", "1"], "--events-file", "--events-fd"),
        (["--events-file", "x", "-O", "x"], "--events-file", "--output"),
        (["--events-fd", "1", "-O", "-"], "--events-fd 1", "a body for standard output"),
        (["--request-target", "/x", "-c"], "--request-target", "--continue"),
        (["--request-target", "/x", "--split", "2"], "--request-target", "--split"),
        (["--request-target", "/x", "--timestamping"], "--request-target", "--timestamping"),
        (["--ephemeral", "--hsts-file", "h"], "--ephemeral", "--hsts-file"),
        (["--raw", "--compressed"], "--raw", "--compressed"),
        (["--raw", "-c"], "--raw", "--continue"),
        (["--raw", "-r", "0-1"], "--raw", "--range"),
        (["--raw", "-H", "range: bytes=0-1"], "--raw", "--header Range"),
        (["--raw", "--timestamping"], "--raw", "--timestamping"),
        (["--raw", "--checksum", "md5:00000000000000000000000000000000"], "--raw", "--checksum"),
        (["--upload-offset", "1", "--upload-file", "-"], "--upload-offset", "--upload-file -"),
        (["-C", "5", "-d", "x"], "--range", "--data"),
        (["--etag-save", "t", "other"], "--etag-save", "several URLs"),
        (["--etag-compare", "/dev/null", "-i", "x"], "--etag-compare", "several URLs"),
        (["--etag-save", "t", "--timestamping"], "--etag-save", "--timestamping"),
        (["--etag-save", "t", "-c"], "--etag-save", "--continue"),
        (["--etag-save", "t", "-O", "t"], "--etag-save", "--output"),
        (["--etag-save", "t", "--dump-header", "t"], "--dump-header", "--etag-save"),
        (
            ["--etag-compare", "/dev/null", "-H", "If-None-Match: *"], "--etag-compare",
            "--header If-None-Match"
        ),
        (["-b", "--request-target", "*"], "--background", "--request-target"),
        (["-b", "--etag-save", "t"], "--background", "--etag-save"),
        (["-b", "-r", "0-1"], "--background", "--range"),
        (["-b", "-H", "Range: bytes=0-1"], "--background", "--header Range"),
        (["-O", "x.part", "other", "-O", "x"], "--output x", "--output x.part"),
        (["-O", "x", "other", "-O", "x.part.resume"], "--output x", "--output x.part.resume"),
        (["-O", "x", "--error-body", "x.part"], "--error-body", "a body to x"),
        (["-b", "--upload-file", "x", "-C", "1"], "--background", "--upload-offset"),
        (["--events-file", "/dev/stdout", "-I"], "--events-fd 1", "a body for standard output"),
    ])
    func conflicts(_ arguments: [String], _ one: String, _ other: String) {
        guard case .conflict(one, other, let reason) = usageError(arguments + ["h/"]) else {
            Issue.record("\(String(describing: usageError(arguments + ["h/"])))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: [
        ["-4"], ["--http2"], ["--tls-min", "1.2", "--tls-max", "1.2"], ["-O", "-", "other"],
        ["--ephemeral", "--hsts-file", "h", "--no-hsts"], ["--raw", "--no-compressed"],
        ["--request-target", "*", "-X", "OPTIONS"],
        ["--etag-compare", "/dev/null", "--etag-save", "/dev/null"], ["--upload-offset", "0"],
        ["-d", "a", "-X", "PUT"], ["-q", "-vv"], ["-F", "a=@-", "-F", "b=c"], ["-d", "a", "other"],
    ])
    func noConflict(_ arguments: [String]) {
        #expect(usageError(arguments + ["h/"]) == nil)
    }

    @Test func eventsOfAnAttachedSessionGoToOnePlace() {
        let arguments = ["--attach", "x", "--events-file", "f", "--events-fd", "1"]
        guard case .conflict("--events-file", "--events-fd", _) = usageError(arguments) else {
            Issue.record("\(String(describing: usageError(arguments)))")
            return
        }
    }

    @Test(arguments: [[], ["-q"], ["-O", "f"], ["--"]])
    func noURL(_ arguments: [String]) throws {
        let error = try #require(usageError(arguments))
        #expect(error.message == "missing URL")
        #expect(error.hint?.contains(HelpText.usage) == true)
    }

    @Test(arguments: [["--", "-O"], ["--", "--help"], ["-"]])
    func urlsThatLookLikeFlags(_ arguments: [String]) {
        #expect(usageError(arguments)?.message.contains("looks like an option") == true)
    }

    @Test func aCertificateHasNoPasswordInItsName() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("client.pem", "x")
        let error = try #require(usageError(["--cert", file + ":secret", "h/"]))
        #expect(!error.message.contains("secret"))
        #expect(error.hint?.contains("--private-key-password") == true)
        let odd = try folder.file("client.pem:odd", "x")
        #expect(usageError(["--cert", odd, "h/"]) == nil)
    }

    @Test func aKeyNeedsItsCertificate() {
        #expect(usageError(["--key", "k", "h/"])?.hint?.contains("--certificate") == true)
    }
}
