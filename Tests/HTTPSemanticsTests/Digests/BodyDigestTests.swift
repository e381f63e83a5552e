import HTTPSemantics
import Testing

@Suite("Digests of bodies")
struct BodyDigestTests {
    private static let emptyHex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let emptyBase64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test("hex in either case and base64 of either alphabet, padded or not, give the same digest")
    func forms() throws {
        let digest = try #require(BodyDigest(.sha256, hex: Self.emptyHex))
        #expect(digest.hex == Self.emptyHex)
        #expect("\(digest)" == "sha256:\(Self.emptyHex)")
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.uppercased()) == digest)
        #expect(BodyDigest(.sha256, base64: Self.emptyBase64) == digest)
        #expect(BodyDigest(.sha256, base64: Self.emptyBase64.dropLast()) == digest)
        let urlSafe = Self.emptyBase64.replacing("+", with: "-").replacing("/", with: "_")
        #expect(BodyDigest(.sha256, base64: urlSafe) == digest)
    }

    @Test("a text of another length or with other characters is no digest")
    func malformed() {
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast()) == nil)
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast() + "g") == nil)
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast(2) + "é") == nil)
        #expect(BodyDigest(.sha1, hex: Self.emptyHex) == nil)
        #expect(BodyDigest(.sha256, base64: "47DEQpj8") == nil)
        #expect(BodyDigest(.sha256, base64: Self.emptyBase64 + "===") == nil)
        #expect(BodyDigest(.sha256, base64: "!" + Self.emptyBase64.dropFirst()) == nil)
        #expect(BodyDigest(.sha256, base64: "") == nil)
    }

    @Test("the strongest of several functions counts, and each digest of that function is accepted")
    func strongest() throws {
        let weak = try #require(BodyDigest(.md5, bytes: Array(repeating: 1, count: 16)))
        let one = try #require(BodyDigest(.sha384, bytes: Array(repeating: 1, count: 48)))
        let other = try #require(BodyDigest(.sha384, bytes: Array(repeating: 2, count: 48)))
        let expected = try #require(ExpectedDigest([one, weak, other]))
        #expect(expected.algorithm == .sha384)
        #expect(expected.accepts(one) && expected.accepts(other) && !expected.accepts(weak))
        #expect(ExpectedDigest([]) == nil)
    }
}
