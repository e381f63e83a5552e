import HTTPSemantics
import Testing

@Suite("Responses that are stored")
struct StoreVerdictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var lines: [String]
        var verdict: StoreVerdict
        var status = 200
        var request: [String] = []
        var method = "GET"
        var keepsStale = false
        var testDescription: String { "\(method) \(request) → \(status) \(lines)" }
    }

    private static let fresh = "Cache-Control: max-age=60"

    @Test(
        "C-01 a response is stored where RFC 9111 §3 allows it and the cache can use it",
        arguments: [
            Case(lines: [fresh], verdict: .store),
            Case(lines: ["ETag: \"a\""], verdict: .store),
            Case(lines: ["Last-Modified: \(momentText)"], verdict: .store),
            Case(lines: [], verdict: .skip(.useless)),
            Case(lines: [], verdict: .store, keepsStale: true),
            Case(lines: ["Cache-Control: no-cache, max-age=60"], verdict: .skip(.useless)),
            Case(lines: ["Cache-Control: no-cache", "ETag: \"a\""], verdict: .store),
            Case(lines: ["Cache-Control: no-cache=\"x\", max-age=60"], verdict: .store),
            Case(lines: ["Cache-Control: no-store", "ETag: \"a\""], verdict: .skip(.forbidden)),
            Case(lines: ["Cache-Control: No-Store, max-age=60"], verdict: .skip(.forbidden)),
            Case(
                lines: [fresh, "Cache-Control: no-store"],
                verdict: .skip(.forbidden),
                keepsStale: true
            ),
            Case(lines: ["Cache-Control: no-store, must-understand, max-age=60"], verdict: .store),
            Case(
                lines: ["Cache-Control: must-understand, max-age=60"],
                verdict: .skip(.status),
                status: 599
            ),
            Case(lines: ["Cache-Control: private, max-age=60"], verdict: .store),
            Case(lines: ["Cache-Control: private=\"a\", max-age=60"], verdict: .store),
            Case(lines: [fresh], verdict: .store, request: ["Authorization: Basic eDp5"]),
            Case(lines: [fresh], verdict: .skip(.forbidden), request: ["Cache-Control: no-store"]),
            Case(lines: [fresh], verdict: .store, request: ["Cache-Control: no-cache"]),
            Case(lines: [fresh], verdict: .skip(.special), request: ["Range: bytes=0-1"]),
            Case(lines: [fresh], verdict: .skip(.special), request: ["If-None-Match: \"a\""]),
            Case(lines: [fresh, "Vary: *"], verdict: .skip(.variesOnEverything)),
            Case(lines: [fresh, "Vary: Accept, *"], verdict: .skip(.variesOnEverything)),
            Case(lines: [fresh, "Vary: Accept"], verdict: .store),
            Case(lines: [fresh], verdict: .skip(.method), method: "HEAD"),
            Case(lines: [fresh], verdict: .skip(.method), method: "POST"),
            Case(lines: [fresh], verdict: .skip(.method), method: "get"),
            Case(lines: [fresh], verdict: .skip(.status), status: 206),
            Case(lines: [fresh], verdict: .skip(.status), status: 304),
            Case(lines: [fresh], verdict: .skip(.status), status: 401),
            Case(lines: [fresh], verdict: .skip(.status), status: 407),
            Case(lines: [fresh], verdict: .skip(.status), status: 416),
            Case(lines: [fresh], verdict: .skip(.status), status: 103),
            Case(lines: [fresh], verdict: .skip(.status), status: 999),
        ]
    )
    func verdict(_ sample: Case) throws {
        let request = try asked(sample.request, method: sample.method)
        let fields = fields(sample.lines)
        let response = try stored(sample.lines, status: sample.status, to: request)
        let verdict = StoreVerdict(request, response, fields: fields, keepsStale: sample.keepsStale)
        #expect(verdict == sample.verdict)
    }

    @Test(
        "C-01 a response of a heuristically cacheable status needs only a validator to be stored",
        arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    )
    func heuristic(_ status: Int) throws {
        #expect(try verdict(status, ["ETag: \"a\""]) == .store)
    }

    @Test(
        "C-01 a response of any other status is stored only where a field allows it",
        arguments: [201, 202, 302, 303, 307, 400, 403, 500, 502, 503, 504]
    )
    func explicit(_ status: Int) throws {
        #expect(try verdict(status, ["ETag: \"a\""]) == .skip(.notAllowed))
        #expect(try verdict(status, ["Cache-Control: max-age=60"]) == .store)
        #expect(try verdict(status, ["Expires: Tue, 14 Nov 2023 23:13:20 GMT"]) == .store)
        #expect(try verdict(status, ["Cache-Control: public", "ETag: \"a\""]) == .store)
        #expect(try verdict(status, ["Cache-Control: s-maxage=60"]) == .skip(.notAllowed))
    }

    private func verdict(_ status: Int, _ lines: [String]) throws -> StoreVerdict {
        StoreVerdict(
            try asked(),
            try stored(lines, status: status),
            fields: fields(lines),
            keepsStale: false
        )
    }

    @Test("C-01 fields of the connection, of cookies and of a proxy are not stored")
    func fieldsLeftOut() {
        let kept = StoredFields.storable(
            fields([
                "Connection: close, X-Hop", "X-Hop: 1", "Keep-Alive: 5",
                "Transfer-Encoding: chunked",
                "Set-Cookie: a=b", "Proxy-Authenticate: Basic", "Upgrade: h2c", "Trailer: X",
                "TE: trailers", "Proxy-Connection: close", "Content-Type: text/plain",
                "ETag: \"a\"",
            ])
        )
        #expect(kept.fields.map(\.name) == ["Content-Type", "ETag"])
    }
}
