import Testing

@testable import URLLoading

@Suite("Message digests")
struct MessageDigestTests {
    /// The examples of RFC 1321 A.5 and FIPS 180-4: of nothing, of `abc`, of 56 letters.
    static let known: [(DigestFunction, String, String)] = [
        (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (.sha512256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ]

    @Test("the functions give the published digests", arguments: known)
    func published(function: DigestFunction, text: String, hex: String) {
        #expect(MessageDigest.hex(text.utf8, by: function) == hex)
    }

    @Test("pieces give the same digest as the whole", arguments: DigestFunction.allCases)
    func pieces(function: DigestFunction) {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        guard var digest = MessageDigest(function) else {
            Issue.record("\(function) is refused")
            return
        }
        for start in stride(from: 0, to: bytes.count, by: 97) {
            digest.update(bytes[start..<min(start + 97, bytes.count)])
        }
        digest.update([])
        #expect(digest.finish().hexText == MessageDigest.hex(bytes, by: function))
        #expect(function.isAvailable)
    }

    @Test(
        "each algorithm gives its published digest of abc",
        arguments: BodyDigest.Algorithm.allCases
    )
    func algorithms(algorithm: BodyDigest.Algorithm) throws {
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
