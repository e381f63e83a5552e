import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

@Suite struct BodyActionTests {
    private func response(
        _ status: Int,
        _ fields: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://h/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        )
    }

    private func use(
        _ status: Int,
        _ arguments: [String] = [],
        _ fields: [String: String] = [:],
        isHead: Bool = false,
        isContinuing: Bool = false
    ) throws -> BodyAction {
        BodyAction(
            of: try response(status, fields),
            by: try plan(["h"] + arguments).responses,
            isHead: isHead,
            isContinuing: isContinuing
        )
    }

    @Test func statuses() throws {
        #expect(try use(200) == .deliver)
        #expect(try use(304) == .drop)
        #expect(try use(304, isHead: true) == .deliver)
        #expect(try use(404) == .drop)
        #expect(try use(404, ["--content-on-error"]) == .deliver)
        #expect(try use(404, ["--error-body", "nowhere.tmp"]) == .saveAsError)
        #expect(try use(404, ["--error-body", "nowhere.tmp"], isHead: true) == .drop)
        #expect(try use(404, ["--accept-status", "400-499"]) == .deliver)
        #expect(try use(404, ["--content-on-error"], isContinuing: true) == .drop)
        #expect(try use(404, ["--accept-status", "404"], isContinuing: true) == .drop)
        #expect(try use(416, isContinuing: true) == .deliver)
    }

    @Test func policies() throws {
        let fields = ["Content-Type": "Text/HTML; a=b", "Content-Length": "100"]
        #expect(try use(200, ["--accept-type", "text/*"], fields) == .deliver)
        guard case .stop(.policy) = try use(200, ["--accept-type", "image/*"], fields) else {
            Issue.record("it is taken")
            return
        }
        #expect(try use(200, ["--max-filesize", "100"], fields) == .deliver)
        guard case .stop(.policy) = try use(200, ["--max-filesize", "99"], fields) else {
            Issue.record("it is taken")
            return
        }
        #expect(try use(200, ["--max-filesize", "99"], fields, isHead: true) == .deliver)
        #expect(try use(204, ["--accept-type", "image/*"]) == .deliver)
        #expect(try use(206, ["--max-filesize", "9"], fields, isContinuing: true) == .deliver)
    }

    @Test(arguments: [
        ("0-4", "bytes 0-4/14", true), ("0-4", "bytes 0-3/14", false),
        ("0-99", "bytes 0-13/14", true), ("5-", "bytes 5-13/14", true),
        ("5-", "bytes 5-12/14", false), ("-5", "bytes 9-13/14", true),
        ("-99", "bytes 0-13/14", true), ("-5", "bytes 8-13/14", false), ("0-4", "", false),
        ("0-4", "bytes */14", false),
    ])
    func ranges(_ range: String, _ field: String, _ fits: Bool) throws {
        let use = try use(206, ["-r", range], ["Content-Range": field])
        #expect((use == .deliver) == fits)
        guard case .stop(.error) = try self.use(200, ["-r", range]) else {
            Issue.record("the whole is taken")
            return
        }
    }

    @Test(arguments: [
        ("*", "a/b", true), ("a*", "a/b", false), ("*/*", "a/b", true), ("*/b", "a/b", true),
        ("a/*", "a/b", true), ("a/*x*y", "a/1x2x3y", true), ("a/*x*y", "a/1x2x3z", false),
        ("a/?", "a/b", true), ("a/?", "a/bc", false), ("a/**", "a/", true),
    ])
    func patterns(_ pattern: String, _ type: String, _ matches: Bool) throws {
        guard pattern != "a*" else {
            #expect(usageError(["h", "--accept-type", pattern]) != nil)
            return
        }
        let patterns = try options("h", "--accept-type", pattern).responses.acceptedTypes
        #expect(patterns[0].matches(type) == matches)
    }

    @Test func patternsAreMatchedQuickly() throws {
        let stars = "a/" + String(repeating: "*a", count: 30) + "b"
        let pattern = try options("h", "--accept-type", stars).responses.acceptedTypes[0]
        #expect(!pattern.matches("a/" + String(repeating: "a", count: 2000)))
    }

    @Test(arguments: [
        ("text/plain", true), ("application/json", true), ("application/hal+json", true),
        ("image/svg+xml", true), ("application/octet-stream", false), ("image/png", false),
        ("application/pdf", false), ("text", false), ("", false),
    ])
    func texts(_ type: String, _ isText: Bool) {
        #expect(AutomaticChoice.isText(type) == isText)
    }
}
