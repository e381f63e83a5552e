import Testing
import URLLoading

@testable import FetchCommand

@Suite("Cookies in HAR")
struct HARCookieTests {
    private func json(_ value: EventValue) -> String {
        value.jsonText
    }

    @Test("sent cookies have their names and no value")
    func sent() {
        let fields = HTTPHeaderFields(["Cookie": "a=s3cret; b=\"s3cret\";c"])
        #expect(
            json(HARCookie.sent(fields))
                == #"[{"name":"a","value":"(redacted)"},{"name":"b","value":"(redacted)"},"#
                + #"{"name":"","value":"(redacted)"}]"#
        )
        #expect(json(HARCookie.sent(HTTPHeaderFields())) == "[]")
    }

    @Test("received cookies have their attributes, each once")
    func received() {
        var fields = HTTPHeaderFields()
        fields.add(
            "id=s3cret; Path=/x; path=/y; Domain=h; Secure; HttpOnly; SameSite=Lax;"
                + " Expires=Thu, 01 Jan 2026 00:00:00 GMT",
            to: "set-cookie"
        )
        #expect(
            json(HARCookie.received(fields))
                == #"[{"name":"id","value":"(redacted)","path":"/y","domain":"h","secure":true,"#
                + #""httpOnly":true,"expires":"2026-01-01T00:00:00.000000Z"}]"#
        )
    }
}
