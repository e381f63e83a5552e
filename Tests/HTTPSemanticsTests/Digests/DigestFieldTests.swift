import HTTPSemantics
import Testing

/// `Repr-Digest` and `Content-Digest`, RFC 9530.
@Suite("Digest fields")
struct DigestFieldTests {
    /// RFC 9530's own digests of `{"hello": "world"}` and a line feed.
    private static let sha256 = ":RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    private static let sha512 =
        ":YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCs"
        + "yRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"

    private func digest(_ text: String) -> BodyDigest? {
        if case .digest(let digest) = DigestField.read(text) { digest } else { nil }
    }

    @Test("the parser reads the RFC's examples")
    func examples() {
        #expect(digest("sha-256=\(Self.sha256)")?.algorithm == .sha256)
        #expect(digest("sha-512=\(Self.sha512)")?.algorithm == .sha512)
        let both = "sha-512=\(Self.sha512), sha-256=\(Self.sha256)"
        #expect(digest(both)?.hex.hasPrefix("44aff4ab2d7c3250525675a0") == true)
    }

    @Test(
        "the parser ignores a function that is unknown or no longer secure",
        arguments: [
            "", "md5=:Sd/dVLAcvNLSq16eXua5uQ==:", "sha=:07CavjDP4u3/TungoUHJO/Wzr4c=:",
            "unixsum=30637", "id-sha-256=\(sha256)", "crc32c=:AAAAAA==:",
            "new;a=1;b=\"x\", other=(1 2 \"3\");q, more=?1, last=tok/en:*",
            "a=-1.5, b=@1659578233, c=%\"f%c3%bc\"",
        ]
    )
    func isIgnored(text: String) {
        #expect(DigestField.read(text) == .nothing)
    }

    @Test("the parser allows other functions and parameters; the last value of a name counts")
    func beside() {
        let zeros = ":" + String(repeating: "A", count: 43) + "=:"
        #expect(
            digest("x=1,\tsha-256=\(zeros), y, sha-256=\(Self.sha256);p=1")?.bytes.first == 0x44
        )
        #expect(digest("  sha-256=\(Self.sha256)  ")?.bytes.first == 0x44)
        #expect(digest("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg:") != nil)
    }

    @Test(
        "a value that is no dictionary, or no digest, is malformed",
        arguments: [
            "sha-256", "sha-256=", "sha-256=44aff4", "sha-256=:short:", "sha-256=\"text\"",
            "sha-256=:RK_0qy18MlBSVnWgjwz6lZEWjP_lF5HF9bvEF8FabDg=:", "SHA-256=\(sha256)",
            "sha-256=\(sha256),", "sha-256=\(sha256) sha-512=\(sha512)", "sha-256=:AA==",
            "sha-256=\(sha256), \u{7f}", "a=(1 2", "a=\"x", "a=?2", "a=1.", "a=1234567890123456",
            "sha-512=:AAAA:", "=:AAAA:", "a;=1", ",",
        ]
    )
    func malformed(text: String) {
        guard case .flawed = DigestField.read(text) else {
            Issue.record("\(DigestField.read(text))")
            return
        }
    }
}
