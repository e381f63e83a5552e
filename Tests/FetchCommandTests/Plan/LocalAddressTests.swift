import FoundationEssentials
import Testing

@testable import FetchCommand

@Suite struct LocalAddressTests {
    @Test(arguments: [
        ("file:///a/b", "file:///a/b", "b"), ("FILE:///a/b", "file:///a/b", "b"),
        ("file:/a/b", "file:///a/b", "b"), ("file://localhost/a/b c", "file:///a/b%20c", "b c"),
        ("file:///a/ü", "file:///a/%C3%BC", "ü"), ("file:///a/b?q#f", "file:///a/b?q#f", "b"),
        ("file:///", "file:///", "index.html"), ("data:,x y", "data:,x%20y", "data"),
        ("DATA:text/html;base64,YQ==", "data:text/html;base64,YQ==", "data"),
    ])
    func taken(_ argument: String, _ text: String, _ name: String) throws {
        let address = try WebAddress(argument)
        #expect(address.isLocal)
        #expect(address.text == text)
        #expect(URL(string: text)?.absoluteString == text)
        #expect(FileName.from(address) == name)
        #expect(address.origin == nil)
    }

    @Test(arguments: [
        ("file:8080", "https://file:8080"), ("data:80/x", "https://data:80/x"),
        ("data:80/a,b", "https://data:80/a,b"), ("file", "https://file"),
    ])
    func hosts(_ argument: String, _ text: String) throws {
        #expect(try WebAddress(argument).text == text)
    }

    @Test(arguments: [
        "file://host/x", "file://", "file:///a%00", "file:///a\nb", "data:text/plain",
        "data:,\u{0}",
        "file://user@localhost/x", "file://localhost:80/x", "file://\u{301}evil/x",
    ])
    func refused(_ argument: String) {
        #expect(throws: UsageError.self) { try WebAddress(argument) }
    }

    @Test func longDataIsShownInShort() throws {
        let data = "data:," + String(repeating: "x", count: 100_000)
        #expect(try WebAddress(data).redacted.utf8.count < 100)
    }
}
