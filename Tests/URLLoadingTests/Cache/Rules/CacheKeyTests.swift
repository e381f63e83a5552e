import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("What an answer is stored under")
struct CacheKeyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let url: String
        let key: String?
        var testDescription: String { url }

        init(_ url: String, _ key: String?) {
            self.url = url
            self.key = key
        }
    }

    @Test(
        "C-01 a key has scheme, host, port, path and query, and neither fragment nor user",
        arguments: [
            Case("http://h/a?b=c", "http://h/a?b=c"),
            Case("http://h/a?b=d", "http://h/a?b=d"),
            Case("http://h/a#b", "http://h/a"),
            Case("http://u:p@h/a", "http://h/a"),
            Case("HTTP://H/A", "http://h/A"),
            Case("http://h:80/a", "http://h/a"),
            Case("http://h:/a", "http://h/a"),
            Case("http://h:8080/a", "http://h:8080/a"),
            Case("http://h:443/a", "http://h:443/a"),
            Case("https://h:443/a", "https://h/a"),
            Case("https://h", "https://h/"),
            Case("https://h?q", "https://h/?q"),
            Case("http://[::1]:80/", "http://[::1]/"),
            Case("http://[::1]/", "http://[::1]/"),
            Case("http://h/a?x=http://o/b@c", "http://h/a?x=http://o/b@c"),
            Case("file:///a", nil),
            Case("data:,a", nil),
            Case("http:///a", nil),
            Case("nothing", nil),
        ]
    )
    func key(_ sample: Case) {
        #expect(CacheKey(sample.url)?.url == sample.key)
    }

    @Test("C-01 a key made of a key's URL is the same: nothing is normalised twice")
    func stable() throws {
        let key = try #require(CacheKey("https://u@H:443?a=b#c", credential: "x"))
        #expect(CacheKey(key.url, credential: "x") == key)
    }

    @Test("C-01 who has shown a credential has answers of his own")
    func credentials() throws {
        let open = try asked().key
        let one = try asked(["Authorization: Basic YTpi"]).key
        let other = try asked(["Authorization: Basic YTpj"]).key
        #expect(Set([open, one, other]).count == 3)
        #expect(one.url == open.url)
        #expect(try asked(["Authorization: Basic YTpi"]).key == one)
        #expect(!"\(one)".contains("YTpi"))
    }

    @Test("C-01 a Digest answer, in which nobody can see who was let in, is nobody's but its own")
    func digest() throws {
        let one = try asked(["Authorization: Digest realm=\"r\", username=\"u\", nc=00000001"]).key
        let two = try asked(["Authorization: Digest realm=\"r\", username=\"u\", nc=00000002"]).key
        let other = try asked(["Authorization: Digest realm=\"r\", username=\"v\", nc=00000002"])
            .key
        #expect(Set([one, two, other]).count == 3)
    }

    @Test("C-01 what only the connection knows of one makes a key too")
    func identity() throws {
        let open = try #require(CacheRequest(url: "http://h/", method: "GET", fields: fields([])))
        let known = try #require(
            CacheRequest(url: "http://h/", method: "GET", fields: fields([]), identity: "cert")
        )
        #expect(open.key != known.key)
    }

    @Test("C-01 a request as a program has it, and as it is sent, have one key")
    func sameKey() throws {
        for text in ["http://u:p@H/a/../b?c#d", "http://h", "http://h/ü?ü", "http://h:80/a%20b"] {
            let given = URLRequest(url: try url(text))
            let sent = try PreparedRequest(given, SessionSettings(kind: .ephemeral))
            #expect(CacheRequest(given)?.key == CacheRequest(sent)?.key, "\(text)")
        }
    }
}
