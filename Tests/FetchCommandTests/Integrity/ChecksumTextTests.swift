import Testing
import URLLoading

@testable import FetchCommand

/// The value of `--checksum`.
@Suite("Checksums on the command line")
struct ChecksumTextTests {
    private static let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let base64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let sha384 =
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    private static let sha384Base64 =
        "ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn"

    private func checksum(_ text: String) throws -> ExpectedDigest? {
        try options("--checksum", text, "http://h/").checksum
    }

    @Test(
        "a checksum follows a colon or an equals sign, in any case, with or without a hyphen",
        arguments: [
            "sha256:\(sha256)", "sha256=\(sha256)", "SHA256:\(sha256.uppercased())",
            "sha-256=\(sha256)", "SHA-256:\(sha256)", "sha256-\(base64)", "  sha256-\(base64) ",
            "sha256-\(base64)?ct=x",
        ]
    )
    func one(text: String) throws {
        #expect(try checksum(text)?.digests.map(\.description) == ["sha256:\(Self.sha256)"])
    }

    @Test("the strongest function of several tokens counts, and unknown tokens are ignored")
    func several() throws {
        let text = "sha256-\(Self.base64) sha384-\(Self.sha384Base64) sha3-AAAA"
        #expect(try checksum(text)?.digests.map(\.description) == ["sha384:\(Self.sha384)"])
        let both = "sha256:\(Self.sha256) sha256:\(String(repeating: "0", count: 64))"
        #expect(try checksum(both)?.digests.count == 2)
    }

    @Test(
        "any other text is a usage error",
        arguments: [
            "", " ", sha256, "sha256:", "sha256:\(sha256)0", "sha256:xyz", "sha256-abc",
            "crc32:00000000", "sha3-\(base64)", "sha256 \(sha256)", ":\(sha256)", "-\(base64)",
            "sha256:\(sha256) nonsense",
        ]
    )
    func wrong(text: String) {
        #expect(usageError(["--checksum", text, "http://h/"]) != nil)
    }

    @Test(
        "--checksum conflicts with flags that do not fetch a single whole body",
        arguments: [
            ["http://h/", "http://i/"], ["-d", "x", "http://h/"], ["-I", "http://h/"],
            ["-X", "HEAD", "http://h/"], ["-r", "0-1", "http://h/"],
            ["-H", "range: bytes=0-", "http://h/"], ["--checksum-from", "x", "http://h/"],
        ]
    )
    func conflicts(arguments: [String]) {
        guard case .conflict? = usageError(["--checksum", "sha256:\(Self.sha256)"] + arguments)
        else {
            Issue.record("\(arguments) are taken")
            return
        }
    }

    @Test("standard input can be read only once")
    func standardInput() {
        for other in [["--user", "@-"], ["--write-out", "@-"]] {
            let error = usageError(["--checksum-from", "-"] + other + ["http://h/"])
            guard case .conflict? = error else {
                Issue.record("\(other): \(String(describing: error))")
                continue
            }
        }
    }
}
