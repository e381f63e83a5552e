import Testing

@testable import FetchCommand

@Suite struct URLLinesTests {
    /// The lines of a text that arrives in pieces.
    private func lines(_ pieces: [String]) -> [URLLines.Line] {
        var lines = URLLines()
        var found: [URLLines.Line] = []
        for piece in pieces {
            Array(piece.utf8).withUnsafeBytes { lines.append($0) }
            while let line = lines.next() { found.append(line) }
        }
        lines.end()
        while let line = lines.next() { found.append(line) }
        return found
    }

    private func url(_ number: Int, _ text: String) -> URLLines.Line {
        URLLines.Line(number: number, content: .url(text))
    }

    @Test(arguments: [
        "a\nb\n", "a\nb", "a\r\nb\r\n", " a\t\n b", "a\nb\n\n", "\u{FEFF}a\nb", "\u{FEFF} a\r\nb",
    ])
    func blanksAndTheLastEndDoNotCount(_ text: String) {
        #expect(lines([text]) == [url(1, "a"), url(2, "b")])
    }

    @Test func emptyLinesAndCommentsAreCountedAndSkipped() {
        #expect(lines(["# x\n\n  \na#b\n #c\nd"]) == [url(4, "a#b"), url(6, "d")])
    }

    @Test func piecesMayEndAnywhere() {
        let text = "http://h/1\r\n\n# c\nhttp://h/é\nhttp://h/3"
        let whole = lines([text])
        #expect(whole.map(\.number) == [1, 4, 5])
        for size in 1...7 {
            let bytes = Array(text.unicodeScalars)
            let pieces = stride(from: 0, to: bytes.count, by: size).map { start in
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: bytes[start..<min(start + size, bytes.count)])
                return String(piece)
            }
            #expect(lines(pieces) == whole)
        }
    }

    @Test func aLineIsReturnedOnceItIsComplete() {
        var lines = URLLines()
        Array("http://h/".utf8).withUnsafeBytes { lines.append($0) }
        #expect(lines.next() == nil)
        Array("x\ny".utf8).withUnsafeBytes { lines.append($0) }
        #expect(lines.next() == url(1, "http://h/x"))
        #expect(lines.next() == nil)
    }

    @Test func textThatIsNotUTF8IsAnError() {
        var lines = URLLines()
        [UInt8(ascii: "a"), 0xff, UInt8(ascii: "\n"), UInt8(ascii: "b"), UInt8(ascii: "\n")]
            .withUnsafeBytes { lines.append($0) }
        #expect(lines.next() == URLLines.Line(number: 1, content: .invalid("it is not UTF-8")))
        #expect(lines.next() == url(2, "b"))
    }

    @Test func anEndlessLineIsOneError() {
        let piece = String(repeating: "x", count: 40 << 10)
        let found = lines([piece, piece, piece, piece, "\nnext\n"])
        #expect(found.map(\.number) == [1, 2])
        guard case .invalid = found.first?.content else {
            Issue.record("\(found)")
            return
        }
        #expect(found.last == url(2, "next"))
    }
}
