import TestSupport
import Testing

@testable import URLLoading

@Suite("Attributes of an item in the key store")
struct SecretAttributesTests {
    /// Realms, and their encodings.
    static let realms: [(String, String)] = [
        ("", ""), ("r", "r"), ("100 %ef%bf%be", "100 %ef%bf%be"),
        ("秘\u{FFFD}\u{E000}", "秘\u{FFFD}\u{E000}"),
        ("a\u{FFFE}", "percent-encoded:a%ef%bf%be"),
        ("\u{FFFF}é%\u{1FFFF}", "percent-encoded:%ef%bf%bfé%25%f0%9f%bf%bf"),
        ("percent-encoded:a%ef%bf%be", "percent-encoded:percent-encoded:a%25ef%25bf%25be"),
    ]

    @Test("a text has an encoding of its own, which a bus can carry", arguments: realms)
    func spelling(realm: String, spelling: String) {
        let key = space(realm: realm).key
        let values = SecretAttributes(key, user: realm).values
        #expect(values["realm"] == spelling)
        #expect(values["user"] == spelling)
        let read = SecretAttributes.read(values)
        #expect(read?.key == key)
        #expect(read?.user == realm)
    }

    @Test("a text in another encoding is taken literally")
    func foreign() {
        var values = SecretAttributes(space().key, user: "me").values
        for text in ["percent-encoded:%", "percent-encoded:%zz", "percent-encoded:%ff"] {
            values["realm"] = text
            #expect(SecretAttributes.read(values)?.key.realm == text)
        }
    }

    @Test("a label contains only characters that a bus can carry")
    func label() {
        #expect(SecretAttributes.label("me at 50 % \u{FFFE}") == "me at 50 % %ef%bf%be")
    }
}
