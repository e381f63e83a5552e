import Testing

@testable import URLLoading

@Suite("Identifiers of background sessions")
struct BackgroundIdentifierTests {
    @Test(
        "a folder's name is the identifier, with unusual characters escaped",
        arguments: [
            ("com.example.app-1_b", "com.example.app-1_b"), (".", "%2E"), ("..", "%2E."),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"), ("a/b", "a%2Fb"),
            ("a\u{0}b", "a%00b"), ("%2F", "%252F"), ("~x", "%7Ex"), ("ü", "%C3%BC"),
            ("-rf", "-rf"), ("a b\n", "a%20b%0A"),
        ]
    )
    func names(text: String, name: String) throws {
        let identifier = try BackgroundIdentifier(text)
        #expect(identifier.folderName == name)
        #expect(identifier.text == text)
    }

    @Test("a long identifier's folder has a digest in its name")
    func long() throws {
        let one = try BackgroundIdentifier(String(repeating: "x", count: 500) + "1")
        let other = try BackgroundIdentifier(String(repeating: "x", count: 500) + "2")
        #expect(one.folderName != other.folderName)
        #expect(one.folderName.utf8.count <= 200)
        #expect(one.folderName.hasPrefix("xxxx"))
        // A short identifier cannot have the folder of a long one.
        let lookalike = try BackgroundIdentifier(one.folderName)
        #expect(lookalike.folderName != one.folderName)
    }

    @Test("an empty or too long identifier is refused")
    func refused() throws {
        #expect(throws: BackgroundError.self) { try BackgroundIdentifier("") }
        #expect(throws: BackgroundError.self) {
            try BackgroundIdentifier(String(repeating: "é", count: 513))
        }
        _ = try BackgroundIdentifier(String(repeating: "é", count: 512))
    }
}
