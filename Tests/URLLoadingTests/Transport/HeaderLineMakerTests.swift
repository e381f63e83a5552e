import CurlMulti
import Testing

@testable import URLLoading

@Suite("Header lines")
struct HeaderLineMakerTests {
    private func prepared(_ fields: [String: String]) throws -> PreparedRequest {
        var request = try request("http://h/")
        for (name, value) in fields { request.headerFields[name] = value }
        return try PreparedRequest(request, DefaultFields(HTTPHeaderFields()))
    }

    @Test("equal fields share their lines, and other fields have their own")
    func shared() throws {
        var maker = HeaderLineMaker()
        let first = maker.lines(of: try prepared(["X": "1"]), mayExpect: false)
        #expect(first.lines == ["X: 1", "Accept:", "Expect:"])
        #expect(maker.lines(of: try prepared(["X": "1"]), mayExpect: false) === first)
        for (fields, mayExpect, lines) in [
            (["X": "2"], false, ["X: 2", "Accept:", "Expect:"]),
            (["Y": "2"], false, ["Y: 2", "Accept:", "Expect:"]),
            (["Y": ""], false, ["Y;", "Accept:", "Expect:"]),
            (["Y": ""], true, ["Y;", "Accept:"]),
            ([:], true, ["Accept:"]),
            (["X": "1"], false, ["X: 1", "Accept:", "Expect:"]),
        ] as [([String: String], Bool, [String])] {
            #expect(maker.lines(of: try prepared(fields), mayExpect: mayExpect).lines == lines)
        }
    }

    @Test("fields whose texts are equal but whose bytes differ have their own lines")
    func bytes() throws {
        var maker = HeaderLineMaker()
        let composed = maker.lines(of: try prepared(["X": "\u{E9}"]), mayExpect: false)
        let decomposed = maker.lines(of: try prepared(["X": "e\u{301}"]), mayExpect: false)
        #expect("\u{E9}" == "e\u{301}", "that is why")
        #expect(composed !== decomposed)
        #expect(Array(decomposed.lines.joined().utf8).starts(with: Array("X: e\u{301}".utf8)))
    }
}
