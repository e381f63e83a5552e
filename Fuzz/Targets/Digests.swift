@testable import FetchCommand
@testable import URLLoading

// Digests in fields, on command lines, and in lists of checksums.
extension FuzzTarget {
    static let digests = [
        FuzzTarget("digest-field") { input in
            switch DigestField.read(input.text) {
            case .digest(let digest):
                check(digest.bytes.count == digest.algorithm.length, "a digest has its length")
                let name = digest.algorithm == .sha256 ? "sha-256" : "sha-512"
                let text = "\(name)=:\(base64(digest.bytes)):"
                check(DigestField.read(text) == .digest(digest), "a digest reads as written")
            case .nothing, .flawed: break
            }
        },
        // Subresource Integrity, and the other forms of `--checksum`.
        FuzzTarget("checksum") { input in
            let value = FlagValue(flag: "--checksum", text: input.text)
            guard let expected = try? ChecksumText.expected(value) else { return }
            check(!expected.digests.isEmpty, "there is a digest")
            for digest in expected.digests {
                check(digest.algorithm == expected.algorithm, "digests are by one function")
                check(
                    BodyDigest(digest.algorithm, hex: digest.hex) == digest,
                    "a digest reads as it was written"
                )
            }
        },
        // The first line is the path of a URL.
        FuzzTarget("checksum-list") { input in
            let list = ChecksumList(input.bytes)
            check(
                list.unnamed == nil || list.entries.isEmpty,
                "a nameless checksum is the only one"
            )
            for entry in list.entries {
                check(!entry.name.isEmpty, "an entry has a name")
                check(!entry.name.utf8.contains(0), "no name has a NUL")
            }
            let path = input.lines[0]
            let name = path.split(separator: "/").last.map(String.init)
            guard let expected = try? list.expected(path: path, name: name),
                list.unnamed == nil
            else { return }
            let isThere = list.entries.contains { expected.accepts($0.digest) }
            check(isThere, "a checksum that is expected is in the list")
        },
    ]

    /// Independent of the library, whose parser is under test.
    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let piece = bytes[start..<min(start + 3, bytes.count)]
            let number = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
            for place in 0...piece.count { text.append(letters[number >> (18 - 6 * place) & 63]) }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - piece.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
