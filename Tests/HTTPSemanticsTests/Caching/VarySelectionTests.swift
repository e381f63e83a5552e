import HTTPSemantics
import Testing

@Suite("Vary")
struct VarySelectionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let vary: String
        let first: [String]
        let second: [String]
        let isSame: Bool
        var testDescription: String { "\(vary): \(first) ≟ \(second)" }

        init(_ vary: String, _ first: [String], _ second: [String], _ isSame: Bool) {
            self.vary = vary
            self.first = first
            self.second = second
            self.isSame = isSame
        }
    }

    @Test(
        "C-01 a stored response serves the requests with the same values of the fields in Vary",
        arguments: [
            Case("Foo", ["Foo: 1"], ["Foo: 1"], true),
            Case("Foo", ["Foo: 1"], ["Foo: 2"], false),
            Case("Foo", ["Foo: 1"], [], false),
            Case("Foo", [], ["Foo: 1"], false),
            Case("Foo", [], [], true),
            Case("Foo", ["Foo: 1"], ["FOO: 1"], true),
            Case("foo", ["Foo: 1", "Bar: 1"], ["Foo: 1", "Bar: 2"], true),
            Case("Foo, Bar", ["Foo: 1", "Bar: 1"], ["Foo: 1", "Bar: 2"], false),
            Case("Bar, Foo", ["Foo: 1", "Bar: 1"], ["Bar: 1", "Foo: 1"], true),
            Case("Foo", ["Foo: 1", "Foo: 2"], ["Foo: 1, 2"], true),
            Case("Foo", ["Foo: 1,2"], ["Foo: 1 , 2"], true),
            Case("Foo", ["Foo: 1, 2"], ["Foo: 2, 1"], false),
            Case("Foo", ["Foo: a"], ["Foo: A"], false),
            Case("Accept-Language", ["Accept-Language: en, de"], ["Accept-Language: EN,de"], true),
            Case("Accept-Language", ["Accept-Language: en,de"], ["Accept-Language: de,en"], false),
            Case("Cookie", ["Cookie: q=\"a,b\""], ["Cookie: q=\"a, b\""], false),
            Case("Accept-Language", ["Accept-Language: en"], ["Accept-Language: de"], false),
            Case(
                "Accept-Encoding",
                ["Accept-Encoding: gzip;q=0.5"],
                ["Accept-Encoding: gzip; q=0.5"],
                true
            ),
            Case(
                "Accept-Encoding",
                ["Accept-Encoding: gzip;q=0.5"],
                ["Accept-Encoding: gzip"],
                false
            ),
            Case("Cookie", ["Cookie: a=1"], ["Cookie: a=1"], true),
            Case("Cookie", ["Cookie: a=1"], ["Cookie: a=2"], false),
            Case("Authorization", ["Authorization: x"], ["Authorization: y"], false),
        ]
    )
    func selection(_ sample: Case) throws {
        let response = try stored(["Vary: \(sample.vary)"], to: try asked(sample.first))
        #expect(response.selection.matches(fields(sample.second)) == sample.isSame)
    }

    @Test("C-01 a response that varies by a credential stores only a digest of the credential")
    func secrets() throws {
        let request = try asked(["Cookie: s=hidden", "Authorization: Bearer hidden"])
        let response = try stored(["Vary: Cookie, Authorization"], to: request)
        #expect(!"\(response)".contains("hidden"))
    }

    @Test("C-01 a field that the caller's request lacks may match, since the session may add it")
    func lenient() throws {
        let request = try asked(["Accept: */*", "Accept-Language: de"])
        let response = try stored(["Vary: Accept, Accept-Language"], to: request)
        #expect(response.selection.mayMatch(fields([])))
        #expect(response.selection.mayMatch(fields(["Accept-Language: de"])))
        #expect(!response.selection.mayMatch(fields(["Accept-Language: en"])))
    }
}
