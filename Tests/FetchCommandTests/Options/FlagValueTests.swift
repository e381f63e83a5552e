import Testing
import URLLoading

@testable import FetchCommand

@Suite struct FlagValueTests {
    @Test(arguments: [
        ("10", Duration.seconds(10)), ("0.5", .milliseconds(500)), ("10s", .seconds(10)),
        ("500ms", .milliseconds(500)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ("1d", .seconds(86_400)), ("1.5M", .seconds(90)), ("0.0001", .milliseconds(1)),
        ("0.1", .milliseconds(100)), ("007", .seconds(7)), ("0", nil), ("0.000", nil), ("0ms", nil),
    ])
    func durations(_ text: String, _ duration: Duration?) throws {
        #expect(try FlagValue(flag: "-T", text: text).duration() == duration)
    }

    @Test(arguments: [
        "", "nan", "NaN", "inf", "-1", "+1", "1e3", "0x10", ".5", "5.", "1.2.3", "s", "10 s", " 10",
        "10x", "ten", "1,5", "99999999999999999999", "999999999999d", "4000d", "١",
    ])
    func malformedDurations(_ text: String) {
        let error = usageError(["--max-time=\(text)", "u"])
        guard case .invalidValue("--max-time", text, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.message == "--max-time: '\(text)' is not a duration")
    }

    @Test(arguments: [
        ("100", Int64(100)), ("100k", 102_400), ("100K", 102_400), ("1.5M", 1_572_864),
        ("2G", 2_147_483_648), ("2g", 2_147_483_648), ("1t", 1_099_511_627_776), ("0", nil),
        ("0.3", 1),
    ])
    func sizes(_ text: String, _ size: Int64?) throws {
        #expect(try options("--limit-rate", text).transport.maximumBytesPerSecond == size ?? 0)
    }

    @Test(arguments: ["", "k", "-1", "1kb", "1KiB", "1e3", "nan", "999999999999999t", "1 k"])
    func malformedSizes(_ text: String) {
        #expect(
            usageError(["--limit-rate=\(text)", "u"])?.message.contains("number of bytes") == true
        )
    }

    @Test(arguments: [
        ("--timeout", "x"), ("--connect-timeout", "-3"), ("--max-time", "nan"),
        ("--limit-rate", "fast"), ("--max-redirect", "-1"),
        ("--max-redirect", "1.5"), ("--max-redirect", ""), ("--redirect", "some"),
        ("--tls-min", "1.4"), ("--tls-max", "TLSv1.2"), ("--certificate-type", "pem"),
        ("--resolve", "h:443"), ("--resolve", "h:0:1.2.3.4"), ("--resolve", "h:443:name"),
        ("--resolve", ":443:1.2.3.4"), ("--resolve", "h:+443:1.2.3.4"), ("--resolve", "h:443:"),
        ("--resolve", "[::1]:443:1.2.3.4"), ("--resolve", "h:443:1.2.3.4,"),
        ("--resolve", "[::1:443:1.2.3.4"), ("--interface", ""),
        ("--interface", "a\nb"), ("--unix-socket", ""),
        ("--unix-socket", "/" + String(repeating: "x", count: 107)), ("--ciphers", ""),
        ("--pinned-pubkey", "sha256//short"), ("--pinned-pubkey", ""),
        ("--pinned-pubkey", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;x"),
        ("--request", ""), ("--request", "GE T"), ("--request", "GET\r\nX: y"),
        ("--request", "CONNECT"), ("--output", ""), ("--output", "dir/"),
        ("--directory-prefix", ""), ("--upload-file", ""), ("--post-file", ""), ("--data", "@"),
        ("--data-binary", "@"), ("--json", "@"), ("--form", "novalue"), ("--form", "=v"),
        ("--form-string", "novalue"), ("--user-agent", "a\r\nb"), ("--referer", "a\nb"),
        ("--ca-certificate", ""), ("--ca-directory", ""), ("--crl-file", ""), ("--certificate", ""),
        ("--private-key", ""),
    ])
    func malformedValuesNameTheirFlag(_ flag: String, _ text: String) throws {
        let error = try #require(usageError(["\(flag)=\(text)", "u"]))
        #expect(error.message.hasPrefix("\(flag): "))
        #expect(!error.message.contains("\n"))
    }

    @Test func theErrorNamesTheGivenSpelling() {
        #expect(usageError(["-T", "x", "u"])?.message == "-T: 'x' is not a duration")
        #expect(usageError(["-T", "x", "u"])?.hint?.contains("--upload-file") == true)
    }
}
