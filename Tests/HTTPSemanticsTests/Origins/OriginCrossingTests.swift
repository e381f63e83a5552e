import FoundationEssentials
import HTTPSemantics
import Testing

@Suite("Requests that cross an origin")
struct OriginCrossingTests {
    @Test("T-09 a secret field that occurs twice is removed entirely, and reported once")
    func twice() throws {
        var fields = HTTPHeaderFields()
        fields.add("one", to: "X-Api-Key")
        fields.add("plain", to: "X-Other")
        fields.add("two", to: "x-api-key")
        let crossing = OriginCrossing(
            from: try url("https://h.example/"),
            to: try url("https://k.example/")
        )
        let dropped = crossing.strip(&fields, secretHeaders: ["X-API-Key"])
        #expect(dropped == [.field("X-Api-Key")])
        #expect(fields.fields.map(\.name) == ["X-Other"])
    }

    @Test("T-09 a caller's field that is not marked as secret follows to the other origin")
    func plain() throws {
        var fields = HTTPHeaderFields(["X-Api-Key": "v"])
        let crossing = OriginCrossing(
            from: try url("https://h.example/"),
            to: try url("https://k.example/")
        )
        #expect(crossing.strip(&fields) == [])
        #expect(fields["X-Api-Key"] == "v")
    }

    @Test("T-09 a URL that is not HTTP's crosses an origin even to itself")
    func foreign() throws {
        let file = try url("file:///etc/passwd")
        #expect(!OriginCrossing(from: file, to: file).isSameOrigin)
        #expect(OriginCrossing(from: try url("https://h.example/"), to: file).isDowngrade)
    }

    @Test("a 301 or 302 turns POST into GET, and a 303 turns all methods but GET and HEAD into GET")
    func methods() {
        let table: [(status: Int, gets: [String])] = [
            (301, ["POST"]), (302, ["POST"]), (303, ["POST", "PUT", "DELETE", "post"]),
            (307, []), (308, []),
        ]
        for (status, gets) in table {
            #expect(RedirectRules.isRedirect(status))
            for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "post"] {
                let becomesGet = RedirectRules.becomesGet(method, after: status)
                #expect(becomesGet == gets.contains(method), "\(status) \(method)")
            }
            #expect(!RedirectRules.becomesGet("POST", after: status, keepingPost: [status]))
        }
        for status in [200, 300, 304, 305, 306, 400] { #expect(!RedirectRules.isRedirect(status)) }
    }

    @Test("the content fields are dropped together with a body that is not sent again")
    func contentFields() {
        var fields = HTTPHeaderFields([
            "Content-Type": "a/b", "CONTENT-X": "1", "Accept": "*/*", "Digest": "d",
        ])
        RedirectRules.dropContentFields(&fields)
        #expect(fields.keys == ["Accept"])
        #expect(RedirectRules.describesContent("Last-Modified"))
        #expect(!RedirectRules.describesContent("Digestive"))
    }
}
