import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

@Suite("Bodies that were written in part")
struct DeliveredBodyTests {
    private func response(
        _ status: Int = 200,
        _ fields: [(String, String)]
    ) throws -> HTTPURLResponse {
        var header = HTTPHeaderFields()
        for (name, value) in fields { header.add(value, to: name) }
        return try HTTPURLResponse(
            url: #require(URL(string: "http://host/")),
            statusCode: status,
            httpVersion: nil,
            headerFields: header
        )
    }

    private func body(
        _ fields: [(String, String)],
        count: Int64 = 40,
        method: String = "GET"
    ) throws -> DeliveredBody {
        var body = DeliveredBody(try response(200, fields), to: method, asksForPart: false)
        body.count = count
        return body
    }

    private func asked(_ body: DeliveredBody) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://host/")))
        request.setValue("bytes=1-", forHTTPHeaderField: "Range")
        body.ask(&request)
        return request
    }

    private static let tagged = [("ETag", "\"a\""), ("Content-Length", "100")]
    private static let coded = tagged + [("Content-Encoding", "gzip")]
    private static let settled = [
        ("Last-Modified", "Sun, 06 Nov 1994 08:00:00 GMT"),
        ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Content-Length", "100"),
    ]

    @Test("the next attempt requests the rest with the same validator")
    func asks() throws {
        let byTag = try asked(body(Self.tagged))
        #expect(byTag.value(forHTTPHeaderField: "Range") == "bytes=40-")
        #expect(byTag.value(forHTTPHeaderField: "If-Range") == "\"a\"")
        let byDate = try asked(body(Self.settled))
        #expect(byDate.value(forHTTPHeaderField: "If-Range") == "Sun, 06 Nov 1994 08:00:00 GMT")
    }

    @Test("the next attempt requests the last byte again where the length is unknown")
    func overlap() throws {
        let body = try body([("ETag", "\"a\"")])
        #expect(try asked(body).value(forHTTPHeaderField: "Range") == "bytes=39-")
        let rest = try response(206, [("Content-Range", "bytes 39-99/100")])
        #expect(body.verdict(on: rest) == .continues(skip: 1, of: 100))
        let whole = try response(206, [("Content-Range", "bytes 39-39/40")])
        #expect(body.verdict(on: whole) == .continues(skip: 1, of: 40))
        let endless = try response(206, [("Content-Range", "bytes 39-99/*")])
        #expect(body.verdict(on: endless) != .continues(skip: 1, of: nil))
    }

    @Test("the next attempt requests a compressed body as a whole")
    func asksForWhole() throws {
        let request = try asked(body(Self.coded))
        #expect(request.value(forHTTPHeaderField: "Range") == nil)
        #expect(request.value(forHTTPHeaderField: "If-Range") == nil)
    }

    @Test("the attempt skips the written bytes of the same body")
    func goesOn() throws {
        let body = try body(Self.tagged)
        let part = try response(206, [("Content-Range", "bytes 40-99/100"), ("ETag", "\"a\"")])
        #expect(body.verdict(on: part) == .continues(skip: 0, of: 100))
        let short = try response(206, [("Content-Range", "bytes 40-40/100"), ("ETag", "\"a\"")])
        #expect(body.verdict(on: short) == .continues(skip: 0, of: 100))
        let nameless = try response(206, [("Content-Range", "bytes 40-99/100")])
        #expect(body.verdict(on: nameless) == .continues(skip: 0, of: 100))
        #expect(body.verdict(on: try response(200, Self.tagged)) == .continues(skip: 40, of: 100))
        let coded = try self.body(Self.coded)
        #expect(coded.verdict(on: try response(200, Self.coded)) == .continues(skip: 40, of: nil))
    }

    /// Responses that cannot continue the body, by name.
    enum Strange: CaseIterable {
        case otherTag, noTag, weakTag, otherLength, otherCoding, otherPart, otherTotal, oldPart
        case codedPart, partOfOther, noRange, noContent, redirect

        var response: (status: Int, fields: [(String, String)]) {
            let range = ("Content-Range", "bytes 40-99/100")
            return switch self {
            case .otherTag: (200, [("ETag", "\"b\""), ("Content-Length", "100")])
            case .noTag: (200, [("Content-Length", "100")])
            case .weakTag: (200, [("ETag", "W/\"a\""), ("Content-Length", "100")])
            case .otherLength: (200, [("ETag", "\"a\""), ("Content-Length", "99")])
            case .otherCoding: (200, DeliveredBodyTests.coded)
            case .otherPart: (206, [("Content-Range", "bytes 41-99/100")])
            case .otherTotal: (206, [("Content-Range", "bytes 40-100/101")])
            case .oldPart: (206, [("Content-Range", "bytes 0-39/100")])
            case .codedPart: (206, [range, ("Content-Encoding", "gzip")])
            case .partOfOther: (206, [range, ("ETag", "\"b\"")])
            case .noRange: (206, [])
            case .noContent: (204, [("ETag", "\"a\"")])
            case .redirect: (304, [("ETag", "\"a\"")])
            }
        }
    }

    @Test("any other response does not continue the body", arguments: Strange.allCases)
    func strange(_ strange: Strange) throws {
        let (status, fields) = strange.response
        guard case .isOther = try body(Self.tagged).verdict(on: try response(status, fields)) else {
            Issue.record("taken")
            return
        }
    }

    @Test("a coded body is continued with the whole body only")
    func codedPart() throws {
        let part = try response(206, [("Content-Range", "bytes 40-99/100"), ("ETag", "\"a\"")])
        guard case .isOther = try body(Self.coded).verdict(on: part) else {
            Issue.record("taken")
            return
        }
    }

    @Test("a body without proof of sameness is not continued")
    func blockers() throws {
        #expect(try body(Self.tagged).blocker == nil)
        #expect(try body(Self.settled).blocker == nil)
        #expect(try body([]).blocker != nil)
        #expect(try body([("ETag", "W/\"a\"")]).blocker != nil)
        #expect(try body(Self.settled + [("Content-Encoding", "gzip")]).blocker != nil)
        #expect(try body(Self.tagged, method: "POST").blocker != nil)
        let parts = Self.tagged + [("Content-Type", "multipart/x-mixed-replace; boundary=x")]
        #expect(try body(parts).blocker != nil)
        let part = DeliveredBody(try response(206, Self.tagged), to: "GET", asksForPart: false)
        #expect(part.blocker != nil)
        let range = DeliveredBody(try response(200, Self.tagged), to: "GET", asksForPart: true)
        #expect(range.blocker != nil)
    }

    @Test("a body is not continued before its first byte")
    func nothing() throws {
        let request = try asked(body(Self.tagged, count: 0))
        #expect(request.value(forHTTPHeaderField: "Range") == "bytes=1-")
    }
}
