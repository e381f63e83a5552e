import Testing

@testable import URLLoading

@Suite("Message digests")
struct MessageDigestTests {
    /// RFC 1321 A.5 and FIPS 180-4's own examples: of nothing, of `abc`, of 56 letters.
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

    @Test("the published digests come out", arguments: known)
    func published(function: DigestFunction, text: String, hex: String) {
        #expect(MessageDigest.hex(text.utf8, by: function) == hex)
    }

    @Test("pieces make the same digest as the whole", arguments: DigestFunction.allCases)
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
        #expect(MessageDigest.hex(digest.finish()) == MessageDigest.hex(bytes, by: function))
        #expect(function.isAvailable)
    }

    @Test("hex keeps its leading zeros")
    func leadingZeros() {
        #expect(MessageDigest.hex([0, 1, 0xAB, 0xFF]) == "0001abff")
        #expect(MessageDigest.hex([]) == "")
    }
}
