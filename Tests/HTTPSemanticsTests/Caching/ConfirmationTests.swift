import HTTPSemantics
import Testing

@Suite("Effects of a response on a stored response")
struct ConfirmationTests {
    @Test("C-01 a 304 updates the stored fields, except those of the body (RFC 9111 §3.2)")
    func update() throws {
        let response = try stored([
            "Cache-Control: max-age=1", "ETag: \"a\"", "X: old", "Y: stays", "Content-Length: 5",
            "Content-Encoding: gzip", "Content-Type: text/plain", "Age: 50", "Date: \(momentText)",
        ])
        let confirmation = fields([
            "Cache-Control: max-age=60", "X: new", "X: second", "Content-Length: 0",
            "Content-Encoding: br", "Content-Range: bytes 0-1/2", "Set-Cookie: a=b",
            "Transfer-Encoding: chunked", "Content-Type: text/html",
            "Date: Tue, 14 Nov 2023 22:13:50 GMT",
        ])
        let updated = response.confirmed(
            by: confirmation,
            requestTime: moment + 30,
            responseTime: moment + 31
        )
        #expect(updated.status == 200)
        #expect(updated.fields["Cache-Control"] == "max-age=60")
        #expect(updated.fields["X"] == "new, second")
        #expect(updated.fields["Y"] == "stays")
        #expect(updated.fields["Content-Length"] == "5")
        #expect(updated.fields["Content-Encoding"] == "gzip")
        #expect(updated.fields["Content-Type"] == "text/html")
        for name in ["Content-Range", "Set-Cookie", "Transfer-Encoding", "Age"] {
            #expect(updated.fields[name] == nil, "\(name)")
        }
        #expect(Freshness(updated, now: moment + 41).age == 11)
    }

    @Test("C-01 a 304 with another entity tag confirms nothing; a weak tag equals a strong one")
    func confirms() throws {
        let response = try stored(["ETag: \"a\""])
        #expect(CacheValidation.confirms(fields([]), response))
        #expect(CacheValidation.confirms(fields(["ETag: \"a\""]), response))
        #expect(CacheValidation.confirms(fields(["ETag: W/\"a\""]), response))
        #expect(!CacheValidation.confirms(fields(["ETag: \"b\""]), response))
        #expect(CacheValidation.confirms(fields(["ETag: \"b\""]), try stored([])))
    }

    @Test("C-01 a HEAD response describes the stored body where validators and length are equal")
    func describes() throws {
        let response = try stored(["ETag: \"a\"", "Last-Modified: \(momentText)"])
        func describes(_ lines: [String]) -> Bool {
            CacheValidation.describes(fields(lines), response, length: 5)
        }
        #expect(describes([]))
        #expect(describes(["ETag: \"a\"", "Content-Length: 5"]))
        #expect(!describes(["ETag: \"b\""]))
        #expect(!describes(["Last-Modified: junk"]))
        #expect(!describes(["Content-Length: 6"]))
    }

    @Test("C-01 a response served without validation has Age and length, and no fields of no-cache")
    func served() throws {
        let response = try stored([
            "Cache-Control: max-age=60, no-cache=\"X-Secret\"", "X-Secret: 1", "Age: 3",
        ])
        let unasked = response.served(now: moment + 4.9, length: 7, isValidated: false)
        #expect(unasked.fields["Age"] == "7")
        #expect(unasked.fields["X-Secret"] == nil)
        #expect(unasked.fields["Content-Length"] == "7")
        let confirmed = response.served(now: moment + 4, length: 7, isValidated: true)
        #expect(confirmed.fields["X-Secret"] == "1")
    }

    @Test(
        "C-01 a successful unsafe request invalidates its target and the URLs that the response names"
    )
    func invalidation() throws {
        func keys(
            _ method: String,
            _ status: Int,
            _ lines: [String] = [],
            _ own: [String] = []
        ) throws -> [String] {
            let request = try asked(own, method: method, url: "http://h/a/b")
            return CacheInvalidation.keys(request, status: status, fields: fields(lines)).map(\.url)
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "FOO"] {
            #expect(try keys(method, 200) == ["http://h/a/b"], "\(method)")
        }
        for method in ["GET", "HEAD", "OPTIONS", "TRACE"] {
            #expect(try keys(method, 200, ["Location: /c"]) == [], "\(method)")
        }
        #expect(try keys("POST", 303, ["Location: /c"]) == ["http://h/a/b", "http://h/c"])
        #expect(try keys("PUT", 201, ["Content-Location: c"]) == ["http://h/a/b", "http://h/a/c"])
        #expect(try keys("POST", 200, ["Location: http://other/c"]) == ["http://h/a/b"])
        #expect(try keys("POST", 200, ["Location: https://h/c"]) == ["http://h/a/b"])
        #expect(try keys("POST", 200, ["Location: http://["]).first == "http://h/a/b")
        for status in [400, 404, 500] {
            #expect(try keys("POST", status, ["Location: /c"]) == [], "\(status)")
        }
        #expect(
            try keys("POST", 200, [], ["Authorization: x"]) == ["http://h/a/b", "http://h/a/b"],
            "what was stored without a user goes as well"
        )
    }

    @Test(
        "C-01 stale-if-error lets the cache serve a stale response, but not against must-revalidate"
    )
    func staleIfError() throws {
        func mayServe(_ control: String, after: Double, _ own: [String] = []) throws -> Bool {
            let response = try stored(["Cache-Control: \(control)"])
            return StaleService.mayServe(response, to: try asked(own), now: moment + after)
        }
        #expect(try mayServe("max-age=1, stale-if-error=10", after: 11))
        #expect(try !mayServe("max-age=1, stale-if-error=10", after: 11.5))
        #expect(try !mayServe("max-age=1", after: 2))
        #expect(try mayServe("max-age=1", after: 2, ["Cache-Control: stale-if-error=5"]))
        #expect(try !mayServe("max-age=1, stale-if-error=10, must-revalidate", after: 2))
        #expect(try !mayServe("max-age=1, stale-if-error=10, no-cache", after: 2))
        #expect(try !mayServe("max-age=1, stale-if-error", after: 2))
        #expect([500, 502, 503, 504].allSatisfy(StaleService.isError))
        #expect(![200, 404, 501, 505].contains(where: StaleService.isError))
    }
}
