import Testing

@testable import URLLoading

@Suite("Digests of bodies")
struct BodyDigestTests {
    private static let emptyHex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let emptyBase64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test("hex in either case and base64 of either alphabet, padded or not, are the same")
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

    @Test("what has another length, or other characters, is none")
    func flawed() {
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast()) == nil)
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast() + "g") == nil)
        #expect(BodyDigest(.sha256, hex: Self.emptyHex.dropLast(2) + "é") == nil)
        #expect(BodyDigest(.sha1, hex: Self.emptyHex) == nil)
        #expect(BodyDigest(.sha256, base64: "47DEQpj8") == nil)
        #expect(BodyDigest(.sha256, base64: Self.emptyBase64 + "===") == nil)
        #expect(BodyDigest(.sha256, base64: "!" + Self.emptyBase64.dropFirst()) == nil)
        #expect(BodyDigest(.sha256, base64: "") == nil)
    }

    @Test("of several the strongest function counts, and any digest by it")
    func strongest() throws {
        let weak = try #require(BodyDigest(.md5, bytes: Array(repeating: 1, count: 16)))
        let one = try #require(BodyDigest(.sha384, bytes: Array(repeating: 1, count: 48)))
        let other = try #require(BodyDigest(.sha384, bytes: Array(repeating: 2, count: 48)))
        let expected = try #require(ExpectedDigest([one, weak, other]))
        #expect(expected.algorithm == .sha384)
        #expect(expected.accepts(one) && expected.accepts(other) && !expected.accepts(weak))
        #expect(ExpectedDigest([]) == nil)
    }

    @Test("each function makes what it is known for", arguments: BodyDigest.Algorithm.allCases)
    func known(algorithm: BodyDigest.Algorithm) throws {
        let known: [BodyDigest.Algorithm: String] = [
            .md5: "900150983cd24fb0d6963f7d28e17f72",
            .sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
            .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            .sha384: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7",
            .sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ]
        let running = try RunningDigests([algorithm])
        for piece in [[0x61], [0x62, 0x63]] as [[UInt8]] {
            piece.withUnsafeBytes { running.update($0) }
        }
        #expect(running.finish().map(\.hex) == [known[algorithm]])
        #expect(running.finish() == [])
    }
}
