import HTTPSemantics
import Testing

@testable import CurlMulti

@Suite("Response head parser")
struct ResponseHeadParserTests {
    /// The parser's result for the last line of a text, fed line by line with line ends.
    private func parse(
        _ text: String,
        like known: [HTTPHeaderFields.Field] = []
    ) -> ResponseHeadParser.Line {
        var parser = ResponseHeadParser(like: known)
        var last = ResponseHeadParser.Line.more
        var line: [UInt8] = []
        for byte in text.unicodeScalars.map({ UInt8($0.value) }) {
            line.append(byte)
            guard byte == 0x0A else { continue }
            last = line.withUnsafeBytes { parser.take($0) }
            if last == .malformed { return last }
            line = []
        }
        return last
    }

    private func head(_ text: String) throws -> ResponseHead {
        guard case .head(let head) = parse(text) else {
            throw TransferFailure(.malformedHead, detail: text)
        }
        return head
    }

    @Test(
        "the parser reads status lines of every version, with and without a reason",
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n", "1.1", 200, "OK"),
            ("HTTP/1.0 404 Not Found\r\n\r\n", "1.0", 404, "Not Found"),
            ("HTTP/2 200 \r\n\r\n", "2", 200, ""),
            ("HTTP/1.1 200\r\n\r\n", "1.1", 200, ""),
            ("HTTP/1.1 200 OK\n\n", "1.1", 200, "OK"),
        ]
    )
    func statusLine(text: String, version: String, status: Int, reason: String) throws {
        let head = try head(text)
        #expect(head.version == version)
        #expect(head.status == status)
        #expect(head.reason == reason)
    }

    @Test(
        "the parser refuses lines that are no head",
        arguments: [
            "hello\r\n", "HTTP/1.1\r\n", "HTTP/1.1 abc OK\r\n", "HTTP/1.1 99 Low\r\n",
            "HTTP/1.1 1000 High\r\n", "X: before the status line\r\n",
        ]
    )
    func malformed(text: String) {
        #expect(parse(text) == .malformed)
    }

    @Test("fields keep their order and spelling, and lose the white space around them")
    func fields() throws {
        let head = try head("HTTP/1.1 200 OK\r\nB:  two \r\na:one\r\nB: three\r\nEmpty:\r\n\r\n")
        #expect(
            head.fields == [
                .init(name: "B", value: "two"), .init(name: "a", value: "one"),
                .init(name: "B", value: "three"), .init(name: "Empty", value: ""),
            ]
        )
    }

    @Test("the lines of a folded field are joined")
    func folded() throws {
        let head = try head("HTTP/1.1 200 OK\r\nX: one\r\n two\r\n\tthree\r\n\r\n")
        #expect(head.fields == [.init(name: "X", value: "one two three")])
    }

    @Test("a continuation line becomes the value of an empty field, without a leading space")
    func foldedBegin() throws {
        let head = try head("HTTP/1.1 302 Found\r\nLocation:\r\n /b\r\n  \r\nX: y\r\n\r\n")
        #expect(
            head.fields == [.init(name: "Location", value: "/b"), .init(name: "X", value: "y")]
        )
    }

    @Test("a head that begins with a folded line is malformed", arguments: [" ", "\t"])
    func foldedFirst(blank: String) {
        let line = "\(blank)Content-Length: 1\r\n"
        #expect(parse("HTTP/1.1 200 OK\r\n\(line)X: y\r\n\r\n") == .malformed)
        #expect(
            parse("HTTP/1.1 103 Early\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n\(line)\r\n") == .malformed
        )
    }

    @Test("white space before the colon does not belong to the name")
    func spacedName() throws {
        let head = try head("HTTP/1.1 200 OK\r\nSet-Cookie : s=1\r\nX\t \t:\ty\r\n\r\n")
        #expect(
            head.fields == [.init(name: "Set-Cookie", value: "s=1"), .init(name: "X", value: "y")]
        )
    }

    @Test(
        "white space before the colon of a framing field is malformed, since libcurl ignores that field",
        arguments: [
            "Content-Length : 5", "Transfer-Encoding\t: chunked", "content-encoding  : gzip",
        ]
    )
    func spacedFraming(field: String) {
        #expect(parse("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n") == .malformed)
    }

    @Test("a line without a name is no field, and neither are its continuation lines")
    func nameless() throws {
        let head = try head(
            "HTTP/1.1 200 OK\r\nA: a\r\n: empty\r\n folded\r\nword\r\n\tfolded\r\nB: b\r\n c\r\n\r\n"
        )
        #expect(head.fields == [.init(name: "A", value: "a"), .init(name: "B", value: "b c")])
    }

    @Test("a value that is not UTF-8 is read as Latin-1")
    func latin1() throws {
        #expect(try head("HTTP/1.1 200 OK\r\nX: caf\u{e9}\r\n\r\n").fields[0].value == "café")
        let utf8 = try head("HTTP/1.1 200 OK\r\nX: caf\u{c3}\u{a9}\r\n\r\n")
        #expect(utf8.fields[0].value == "café")
    }

    @Test("a Location that is not UTF-8 keeps its bytes")
    func locationBytes() throws {
        let head = try head("HTTP/1.1 302 Found\r\nlocation: /caf\u{e9}?\u{ff}\r\n\r\n")
        #expect(head.fields[0].value == "/caf%E9?%FF")
        let utf8 = try self.head("HTTP/1.1 302 Found\r\nLocation: /caf\u{c3}\u{a9}\r\n\r\n")
        #expect(utf8.fields[0].value == "/café")
    }

    @Test("interim responses are no final responses, and trailers are no head")
    func interim() throws {
        let final = "HTTP/1.1 200 OK\r\nX: final\r\n\r\n"
        let early = ResponseHead(
            version: "1.1",
            status: 103,
            reason: "Early",
            fields: [.init(name: "Link", value: "</a>")]
        )
        #expect(parse("HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n") == .interim(early))
        // The head of another protocol follows, or bytes that are not HTTP.
        #expect(parse("HTTP/1.1 101 Switching\r\n\r\n") == .more)
        let head = try head("HTTP/1.1 103 Early\r\nX: early\r\n\r\n" + final)
        #expect(head.fields == [.init(name: "X", value: "final")])
        #expect(parse(final + "X-Trailer: t\r\n\r\n") == .more)
        #expect(parse(final + "HTTP/1.1 500 Hostile\r\nX: y\r\n\r\n") == .more)
    }

    @Test("a head without an end is malformed long before it fills the memory")
    func endless() {
        let line = "X-Filler: " + String(repeating: "x", count: 1_000) + "\r\n"
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 300)
        #expect(parse(text) == .malformed)
    }

    @Test(
        "a contradictory or invalid Content-Length is malformed",
        arguments: [
            "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5, 6\r\n",
            "Content-Length: -5\r\n", "Content-Length: five\r\n",
            "Content-Length: 99999999999999999999\r\n",
        ]
    )
    func lengths(fields: String) {
        #expect(parse("HTTP/1.1 200 OK\r\n\(fields)\r\n") == .malformed)
    }

    @Test("the last transfer coding is compared with chunked byte by byte, in any case of letters")
    func chunkedByBytes() {
        for (coding, ends) in [
            ("chunked", false), ("gzip, CHUNKED", false), ("chun\u{212A}ed", true), ("gzip", true),
            ("\u{301}chunked", false), ("", true), ("hunked", true),
        ] {
            let field = HTTPHeaderFields.Field(name: "Transfer-Encoding", value: coding)
            let head = ResponseHead(version: "1.1", status: 200, reason: "", fields: [field])
            #expect(head.endsWithConnection("GET") == ends, "\(coding)")
        }
    }

    @Test(
        "an earlier head changes nothing about a head that repeats some of its lines",
        arguments: [
            "A: 1\r\nB:  2\r\nC:\r\nD: \u{E9}\r\n", "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n",
            "A: 12\r\nB: \r\nC:3\r\n", "a: 1\r\nA : 1\r\nA: 1 \r\n", "A: 1\r\n 2\r\nB: 2\r\n",
            "B: 2\r\nA: 1\r\n", "A\r\nA: 1\r\n", "A: 1\nB: \u{C3}\u{A9}\n", "\r\n",
            "Location: /\u{E9}\r\nContent-Length : 1\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n",
        ]
    )
    func repeated(fields: String) throws {
        let text = "HTTP/1.1 200 OK\r\n" + fields + "\r\n"
        let plain = parse(text)
        for earlier in [
            fields, "A: 1\r\nB: 2\r\nC: 3\r\nD: \u{E9}\r\n", "A: 1\r\nB: \u{C3}\u{A9}\r\nC:\r\n",
        ] {
            guard
                case .head(let head) = parse("HTTP/1.1 200 OK\r\n" + earlier + "\r\n")
            else { continue }
            #expect(parse(text, like: head.fields) == plain)
        }
    }
}
