import TestSupport
import Testing

@testable import URLLoading

@Suite("Content decoding", .timeLimit(.minutes(1)))
struct DecodingSinkTests {
    private static let text = Coder.text(3_000)

    @Test(
        "every coding decodes to the original, however the input is cut",
        arguments: Coder.allCases
    )
    func pieces(coder: Coder) {
        let coded = coder.code(Self.text)
        #expect(coded.count < Self.text.count / 3)
        for piece in [1, 2, 3, 1_000, 16 << 10, 1 << 20] {
            let (data, error) = Decoding.decode(coded, coder.name, piece: piece)
            #expect(error == nil)
            #expect(isSameBytes(data, Self.text), "\(piece)")
        }
    }

    @Test("incompressible bytes decode to the original as well", arguments: Coder.allCases)
    func incompressible(coder: Coder) {
        let bytes = PseudoRandom.bytes(300_000)
        let (data, error) = Decoding.decode(coder.code(bytes), coder.name)
        #expect(error == nil)
        #expect(isSameBytes(data, bytes))
    }

    @Test(
        "an encoded empty body decodes to nothing, and so does a missing body",
        arguments: Coder.allCases
    )
    func empty(coder: Coder) {
        #expect(Decoding.decode(coder.code([]), coder.name, piece: 1) == ([], nil))
        #expect(Decoding.decode([], coder.name) == ([], nil))
    }

    @Test("a truncated body is distinguished from a whole one", arguments: Coder.allCases)
    func truncated(coder: Coder) {
        let coded = coder.code(Self.text)
        for count in [1, 2, 5, 12, coded.count / 2, coded.count - 4, coded.count - 1] {
            let (data, error) = Decoding.decode(Array(coded[..<count]), coder.name)
            #expect(error?.code == .cannotDecodeContentData, "\(count)")
            #expect(error?.detail.contains("ends inside a") == true, "\(error?.detail ?? "")")
            #expect(error?.detail.hasSuffix("after \(count) bytes") == true)
            #expect(data.count < Self.text.count || count > coded.count / 2)
            #expect(Self.text.starts(with: data))
        }
    }

    @Test("other data after the end is an error", arguments: Coder.allCases)
    func trailing(coder: Coder) {
        let coded = coder.code(Self.text)
        for piece in [1, 1 << 20] {
            let (data, error) = Decoding.decode(coded + [0x41], coder.name, piece: piece)
            #expect(error?.code == .cannotDecodeContentData, "\(piece)")
            #expect(isSameBytes(data, Self.text))
        }
    }

    @Test("RFC 1952 §2.2: gzip may have several members, and zeros after the last")
    func members() {
        let (first, second) = (Coder.text(10), Coder.text(2_000))
        let none = Coder.gzip.code([])
        let coded = none + Coder.gzip.code(first) + none + none + Coder.gzip.code(second) + none
        for piece in [1, 18, 1 << 20] {
            for padding in [0, 1, 1_000] {
                let body = coded + Array(repeating: 0, count: padding)
                let (data, error) = Decoding.decode(body, "gzip", piece: piece)
                #expect(error == nil)
                #expect(isSameBytes(data, first + second))
            }
        }
        let broken = coded + [0, 0, 0x1F, 0x8B]
        #expect(Decoding.decode(broken, "gzip").error?.detail.contains("continues") == true)
        let cut = coded + [0x1F, 0x8B, 8]
        #expect(Decoding.decode(cut, "gzip").error?.detail.contains("ends inside a member") == true)
    }

    @Test("several zstd frames are one body")
    func frames() {
        let coded = Coder.zstd.code(Self.text)
        let (data, error) = Decoding.decode(coded + coded, "zstd", piece: 7)
        #expect(error == nil)
        #expect(isSameBytes(data, Self.text + Self.text))
    }

    @Test(
        "the coding's own checksum detects a wrong byte",
        arguments: [Coder.gzip, .deflate, .zstd]
    )
    func corrupt(coder: Coder) {
        var coded = coder.code(Self.text)
        // The checksum is at the end; in gzip the length follows it.
        coded[coded.count - (coder == .gzip ? 6 : 2)] ^= 0x10
        let error = Decoding.decode(coded, coder.name).error
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.detail.contains("is broken") == true, "\(error?.detail ?? "")")
    }

    @Test("a body in another coding than declared is damaged", arguments: Coder.allCases)
    func wrongCoding(coder: Coder) {
        let error = Decoding.decode(PseudoRandom.bytes(10_000, seed: 9), coder.name).error
        #expect(error?.code == .cannotDecodeContentData)
    }

    @Test(
        "several codings are decoded in reverse order",
        arguments: [
            "gzip, br", "br,gzip", "zstd , gzip\t, deflate", "identity, gzip, identity", "X-GZip",
        ]
    )
    func stacked(names: String) throws {
        var coded = Self.text
        for name in names.split(separator: ",") {
            let name = name.filter { !$0.isWhitespace }.lowercased()
            guard name != "identity" else { continue }
            coded = try #require(Coder(rawValue: name == "x-gzip" ? "gzip" : name)).code(coded)
        }
        for piece in [1, 100, 1 << 20] {
            let (data, error) = Decoding.decode(coded, names, piece: piece)
            #expect(error == nil)
            #expect(isSameBytes(data, Self.text))
        }
        let cut = Decoding.decode(Array(coded.dropLast(3)), names)
        #expect(cut.error?.code == .cannotDecodeContentData)
    }

    @Test(
        "decoding fails for an unknown coding, and for more than a few codings",
        arguments: ["compress", "gzip, aes128gcm", "gzip, gzip, gzip, gzip"]
    )
    func unknown(names: String) {
        let error = Decoding.decode(Self.text, names).error
        #expect(error?.code == .cannotDecodeRawData)
        // An empty body is not encoded, whatever its fields say.
        #expect(Decoding.decode([], names) == ([], nil))
    }

    @Test(
        "an empty or identity Content-Encoding is no coding",
        arguments: ["", "identity", "none, ,"]
    )
    func identity(names: String) {
        #expect(Decoding(names) == nil)
    }

    @Test("a zstd window above 8 MiB is refused, and one of 8 MiB is not")
    func window() {
        let large = PseudoRandom.bytes(9 << 20)
        let allowed = Decoding.decode(Coder.zstd.code(large, windowLog: 23), "zstd")
        #expect(allowed.error == nil)
        #expect(isSameBytes(allowed.data, large))
        let refused = Decoding.decode(Coder.zstd.code(large, windowLog: 24), "zstd")
        #expect(refused.error?.code == .cannotDecodeContentData)
        #expect(refused.data.isEmpty)
    }
}
