import HTTPSemantics
import Testing

@testable import FetchCommand

@Suite struct HeaderEditTests {
    @Test(arguments: [
        ("A: b", HeaderEdit.set(HeaderField("A", "b"))), ("A:b", .set(HeaderField("A", "b"))),
        ("A: \t b c \t", .set(HeaderField("A", "b c"))), ("A:", .remove("A")),
        ("A:  ", .remove("A")), ("A;", .set(HeaderField("A", ""))),
        ("A: x;", .set(HeaderField("A", "x;"))), ("A: b: c", .set(HeaderField("A", "b: c"))),
        ("Host: other.example", .set(HeaderField("Host", "other.example"))),
        ("Expect:", .remove("Expect")), ("X-Ü: v", nil), ("A: ü", .set(HeaderField("A", "ü"))),
        ("!#$%&'*+-.^_`|~0: v", .set(HeaderField("!#$%&'*+-.^_`|~0", "v"))),
    ])
    func notation(_ line: String, _ edit: HeaderEdit?) throws {
        guard let edit else {
            #expect(usageError(["-H", line, "u"]) != nil)
            return
        }
        #expect(try options("-H", line).headers == [edit])
    }

    @Test(arguments: [
        "A: b\r\nInjected: 1", "A: b\nInjected: 1", "A: b\rc", "A: b\0c", "A\r\n: b", "A b: c",
        "A : b", ": b", "", ";", "nothing", "A\u{301}: b", "(A): b", "A: b\r\n", "A: \r\n b",
    ])
    func refusedLines(_ line: String) throws {
        let error = try #require(usageError(["-H", line, "u"]))
        #expect(error.message.hasPrefix("-H: "))
        #expect(!error.message.utf8.contains { $0 < 0x20 })
    }

    @Test(arguments: [
        "Content-Length: 5", "content-length:", "Transfer-Encoding: chunked", "CONNECTION: close",
        "Connection;", "Upgrade: h2c", "Keep-Alive: 5", "Proxy-Connection: x", "Trailer: X",
        "HTTP2-Settings: x", "Host:", "Host;",
    ])
    func framingFieldsAreRefused(_ line: String) throws {
        let error = try #require(usageError(["--header", line, "u"]))
        #expect(error.message.contains("cannot be"))
    }

    @Test(arguments: [
        "Authorization Bearer s3cret", "Authorization: s3cret\r\nX: y", "Authoriz ation: s3cret",
        "Cookie=s3cret", "s3cret",
    ])
    func noErrorShowsTheLine(_ line: String) throws {
        let error = try #require(usageError(["-H", line, "u"]))
        #expect(!(error.message + (error.hint ?? "")).contains("s3cret"))
        #expect(!String(describing: error).contains("s3cret"))
    }

    @Test(arguments: ["Authorization", "proxy-authorization", "COOKIE"])
    func credentialsAreRedacted(_ name: String) {
        #expect(HeaderField(name, "s3cret").shownValue == "(redacted)")
    }
}
