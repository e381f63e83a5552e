import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Identity in cache keys")
struct CacheIdentityTests {
    @Test("C-01 requests with credentials have cached responses of their own")
    func credentials() throws {
        let open = try asked().key
        let one = try asked(["Authorization: Basic YTpi"]).key
        let other = try asked(["Authorization: Basic YTpj"]).key
        #expect(Set([open, one, other]).count == 3)
        #expect(one.url == open.url)
        #expect(try asked(["Authorization: Basic YTpi"]).key == one)
        #expect(!"\(one)".contains("YTpi"))
    }

    @Test("C-01 a Digest response serves no other request, since its key differs each time")
    func digest() throws {
        let one = try asked(["Authorization: Digest realm=\"r\", username=\"u\", nc=00000001"]).key
        let two = try asked(["Authorization: Digest realm=\"r\", username=\"u\", nc=00000002"]).key
        let other = try asked(["Authorization: Digest realm=\"r\", username=\"v\", nc=00000002"])
            .key
        #expect(Set([one, two, other]).count == 3)
    }

    @Test("C-01 the identity of a connection is a part of the key")
    func identity() throws {
        let open = try #require(CacheRequest(url: "http://h/", method: "GET", fields: fields([])))
        let known = try #require(
            CacheRequest(url: "http://h/", method: "GET", fields: fields([]), identity: "cert")
        )
        #expect(open.key != known.key)
    }

    @Test("C-01 the key of a program's request equals that of the sent request")
    func sameKey() throws {
        for text in ["http://u:p@H/a/../b?c#d", "http://h", "http://h/ü?ü", "http://h:80/a%20b"] {
            let given = URLRequest(url: try url(text))
            let sent = try PreparedRequest(given, SessionSettings(kind: .ephemeral).defaultFields)
            #expect(CacheRequest(given)?.key == CacheRequest(sent)?.key, "\(text)")
        }
    }
}
