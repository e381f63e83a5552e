import FoundationEssentials
import HTTPSemantics
import Testing

@Suite("What crosses an origin")
struct OriginCrossingTests {
    @Test("T-09 a name that stands twice goes wholly, and is named once")
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

    @Test("T-09 without being called secret a field of the caller's own follows")
    func plain() throws {
        var fields = HTTPHeaderFields(["X-Api-Key": "v"])
        let crossing = OriginCrossing(
            from: try url("https://h.example/"),
            to: try url("https://k.example/")
        )
        #expect(crossing.strip(&fields) == [])
        #expect(fields["X-Api-Key"] == "v")
    }

    @Test("T-09 what is not HTTP's is never home, not even to itself")
    func foreign() throws {
        let file = try url("file:///etc/passwd")
        #expect(!OriginCrossing(from: file, to: file).staysHome)
        #expect(OriginCrossing(from: try url("https://h.example/"), to: file).isDowngrade)
    }
}
