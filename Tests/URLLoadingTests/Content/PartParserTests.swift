import TestSupport
import Testing

@testable import URLLoading

@Suite("Multipart bodies")
struct PartParserTests {
    /// A part as the tests compare it.
    struct Part: Equatable {
        var fields: [String: String]
        var data: String
    }

    /// The parts of a body that arrives in pieces of a size.
    private func parts(
        _ body: String,
        boundary: String = "b",
        piece: Int = 1 << 20
    ) throws(URLError) -> [Part] {
        var parser = PartParser(boundary: boundary)
        var parts: [Part] = []
        func add(_ range: Range<Int>) {
            guard !parts.isEmpty else { return }
            parts[parts.count - 1].data += String(decoding: parser.buffer[range], as: UTF8.self)
        }
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { parser.feed($0) }
            while let piece = try parser.next() {
                switch piece {
                case .head(let fields): parts.append(Part(fields: fields.dictionary, data: ""))
                case .data(let range): add(range)
                }
            }
        }
        if let rest = try parser.finish() { add(rest) }
        return parts
    }

    @Test(
        "T-11 the task splits parts, however the body is cut and its lines end",
        arguments: [
            "--b\r\nA: 1\r\n\r\none\r\n--b\r\nA: 2\r\n\r\ntwo\r\nlines\r\n--b--\r\n",
            "--b\nA: 1\n\none\n--b\nA: 2\n\ntwo\r\nlines\n--b--",
            "preamble\r\n--b \t\r\nA: 1\r\n\r\none\r\n--b\r\nA: 2\r\n\r\ntwo\r\nlines"
                + "\r\n--b--\r\nepilogue\r\n--b\r\nA: 3\r\n\r\nthree\r\n--b--",
            // A server that pushes for ever sends no last boundary, or no line end after it.
            "\r\n--b\r\nA: 1\r\n\r\none\r\n--b\r\nA:2\r\n\r\ntwo\r\nlines\r\n--b\r\n",
            "\r\n--b\r\nA: 1\r\n\r\none\r\n--b\r\nA:2\r\n\r\ntwo\r\nlines\r\n--b",
            "--b\r\nA: 1\r\n\r\none\r\n--b\r\nA: 2\r\n\r\ntwo\r\nlines",
        ]
    )
    func parts(body: String) throws {
        let expected = [
            Part(fields: ["A": "1"], data: "one"), Part(fields: ["A": "2"], data: "two\r\nlines"),
        ]
        for piece in [1, 2, 3, 5, 7, 11, 1_000] {
            #expect(try parts(body, piece: piece) == expected, "\(piece)")
        }
    }

    @Test("T-11 a line that only resembles a boundary is data")
    func almost() throws {
        let data = "\r\n--\r\n--bb\r\n--b-x\r\n --b\r\nx--b--\r\n--b--x\r\n\r\r\n--a\n-\r"
        for piece in [1, 3, 1_000] {
            let body = "--b\r\n\r\n\(data)\r\n--b--"
            #expect(try parts(body, piece: piece) == [Part(fields: [:], data: data)], "\(piece)")
            #expect(try parts("--b\r\n\r\n\(data)", piece: piece).map(\.data) == [data])
        }
    }

    @Test("T-11 the last part of a truncated body must have its announced length")
    func cutShort() throws {
        let body = "--b\r\nContent-Length: 4\r\n\r\nfour"
        #expect(try parts(body).map(\.data) == ["four"])
        for piece in [1, 1_000] {
            #expect(throws: URLError.self) { _ = try parts(String(body.dropLast()), piece: piece) }
        }
    }

    @Test("T-11 an empty part is a part, and a part's own length does not matter")
    func empty() throws {
        let body = "--b\r\n\r\n--b\r\nContent-Length: 1\r\n\r\nmore\r\n--b\r\n\r\n\r\n--b--"
        for piece in [1, 1_000] {
            #expect(try parts(body, piece: piece).map(\.data) == ["", "more", ""])
        }
        #expect(try parts("") == [])
        #expect(try parts("--b--") == [])
        #expect(try parts("--b\r\n") == [])
    }

    @Test("T-11 a boundary may contain its dashes, as cameras send it")
    func dashes() throws {
        for body in ["--x\r\n\r\nd\r\n--x--", "----x\r\n\r\nd\r\n----x--"] {
            #expect(try parts(body, boundary: "--x", piece: 1).map(\.data) == ["d"])
        }
    }

    @Test("T-11 the head of a part is parsed like that of a response")
    func head() throws {
        let head = "A : 1\r\nB:\r\n folded\r\nno field\r\n: nameless\r\nX: caf\u{e9}\r\n"
        let fields = ["A": "1", "B": "folded", "X": "caf\u{e9}"]
        for piece in [1, 1_000] {
            let part = try #require(try parts("--b\r\n\(head)\r\nx", piece: piece).first)
            #expect(part.fields == fields)
        }
    }

    @Test(
        "T-11 a body that is not multipart, or has an endless head, cannot be parsed",
        arguments: [
            "no boundary at all", "--c\r\n\r\nx\r\n--c--", "--b\r\nA: 1\r\n",
            "--b\r\nA: " + String(repeating: "x", count: 70_000) + "\r\n\r\nx",
            "--b\r\n" + String(repeating: "A: 1\r\n", count: 1_100) + "\r\nx",
        ]
    )
    func hostile(body: String) {
        for piece in [100, 1 << 20] {
            let error = #expect(throws: URLError.self) { try parts(body, piece: piece) }
            #expect(error?.code == .cannotParseResponse)
        }
    }

    @Test("T-11 thousands of parts take no longer than their bytes")
    func many() throws {
        let part = "--b\r\nA: 1\r\n\r\nx\r\n"
        let parts = try parts(String(repeating: part, count: 20_000) + "--b--", piece: 16 << 10)
        #expect(parts.count == 20_000)
        #expect(parts.allSatisfy { $0.data == "x" })
    }

    @Test(
        "a parameter of a media type is read, quoted or not",
        arguments: [
            ("multipart/x; boundary=b", "b"), ("multipart/x;boundary=\"a b\"", "a b"),
            ("multipart/x; a=\"; boundary=no\"; Boundary = \"y\\\"es\"", "y\"es"),
            ("multipart/x; boundary=one; boundary=two", "one"), ("multipart/x; boundary=", ""),
            ("multipart/x", nil), ("multipart/x; bound", nil), ("multipart/x; boundary", nil),
        ] as [(String, String?)]
    )
    func parameters(type: String, boundary: String?) {
        #expect(MediaType.parameter("boundary", of: type) == boundary)
    }
}
