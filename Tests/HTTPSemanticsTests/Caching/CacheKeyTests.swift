import FoundationEssentials
import HTTPSemantics
import Testing

@Suite("Cache keys")
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
            // Found by fuzzing: each reading of this text took one of its colons away.
            Case("http://h:::/a", nil),
            Case("http://h:80:/a", nil),
            Case("nothing", nil),
        ]
    )
    func key(_ sample: Case) {
        #expect(CacheKey(sample.url)?.url == sample.key)
    }

    @Test("C-01 a key made from a key's URL is equal to that key")
    func stable() throws {
        let key = try #require(CacheKey("https://u@H:443?a=b#c", credential: "x"))
        #expect(CacheKey(key.url, credential: "x") == key)
    }
}
