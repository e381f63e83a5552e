import Testing
import URLLoading

@testable import FetchCommand

/// Lists of checksums: their forms, and the file to which each line belongs.
@Suite("Lists of checksums")
struct ChecksumListTests {
    private static let one = String(repeating: "1", count: 64)
    private static let two = String(repeating: "2", count: 64)

    private func names(_ text: String) -> [String] {
        ChecksumList(text.utf8).entries.map(\.name)
    }

    private func hex(_ text: String, _ path: String, _ name: String? = nil) throws -> String? {
        try ChecksumList(text.utf8).expected(path: path, name: name).digests.first?.hex
    }

    @Test("a line with a name that only looks equal belongs to another file")
    func sameLooks() throws {
        let list = "\(Self.one)  \u{212A}\n\(Self.two)  dir/\u{301}x\n"
        #expect(throws: ChecksumList.LookupError.noEntry("K")) { try hex(list, "/a/K") }
        #expect(try hex(list, "/a/\u{212A}") == Self.one)
        #expect(try hex(list, "/dir/\u{301}x") == Self.two)
        #expect(throws: ChecksumList.LookupError.noEntry("x")) { try hex(list, "/a/x") }
    }

    @Test("the list reads every form that coreutils writes")
    func forms() {
        let text = """
            # a comment
            \(Self.one)  plain
            \(Self.one) *binary
            \(Self.one) reversed

            \\\(Self.one)  line\\nfeed\\\\
            SHA256 (tagged (1)) = \(Self.one)
            SHA2-256 (unknown) = \(Self.one)
            SHA256(openssl)= \(Self.one)
            \\MD5 (tag\\nged) = \(String(repeating: "a", count: 32))
            SHA1 (based) = qZk+NkcGgWq6PiVxeFDCbJzQ2J0=
              \(Self.two)  indented
            """
        #expect(
            names(text) == [
                "plain", "binary", "reversed", "line\nfeed\\", "tagged (1)", "openssl",
                "tag\nged", "based", "indented",
            ]
        )
    }

    @Test("the length of a checksum determines its function")
    func lengths() {
        for algorithm in BodyDigest.Algorithm.allCases {
            let hex = String(repeating: "aB", count: algorithm.length)
            let list = ChecksumList("\(hex)  name\n".utf8)
            #expect(list.entries.first?.digest.algorithm == algorithm)
        }
        #expect(names("\(String(repeating: "a", count: 56))  sha224\n") == [])
    }

    @Test("the list ignores other lines, and a carriage return does not belong to a name")
    func strange() {
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----\r
            Hash: SHA256\r
            \r
            \(Self.one)  name\r
            \(Self.one)  na\0me\r
            \(Self.one.dropLast())  short\r
            -----BEGIN PGP SIGNATURE-----\r
            """
        #expect(names(text) == ["name"])
        #expect(names("") == [])
        #expect(names("<html>404</html>\n") == [])
        #expect(names("\\\(Self.one)  bad\\xescape\n") == [])
        #expect(names(String(repeating: "f", count: 1_000_000)) == [])
        let huge = String(repeating: "n", count: 500_000)
        #expect(names("\(Self.one)  \(huge)\n\(Self.two)  x\n") == [huge, "x"])
        let hex = String(repeating: "0", count: 64)
        #expect(ChecksumList("\u{FEFF}\(hex)  name\n".utf8).entries.map(\.name) == ["name"])
        #expect(ChecksumList([0xFF, 0xFE, 0x0A, 0x00]).entries == [])
    }

    @Test("a single checksum without a name is valid for any file, and two for none")
    func alone() throws {
        #expect(try hex("\(Self.one)\n", "/whatever") == Self.one)
        #expect(try hex("\r\n\(Self.one) \r\n", "/whatever") == Self.one)
        #expect(throws: ChecksumList.LookupError.isEmpty("whatever")) {
            try hex("\(Self.one)\n\(Self.two)\n", "/whatever")
        }
    }

    @Test("the list finds an entry by the longest end of the URL's path, then by the file's name")
    func lookUp() throws {
        let list = """
            \(Self.one)  ./x86/tool
            \(Self.two)  arm/tool
            \(Self.one)  build/out/only
            \(Self.two)  renamed
            """
        #expect(try hex(list, "/dist/x86/tool") == Self.one)
        #expect(try hex(list, "/dist/arm/tool") == Self.two)
        #expect(try hex(list, "/download/only") == Self.one)
        #expect(try hex(list, "/download/", "renamed") == Self.two)
        #expect(try hex(list, "/download/other", "renamed") == Self.two)
        #expect(throws: ChecksumList.LookupError.ambiguous("tool")) {
            try hex(list, "/dist/mips/tool")
        }
        #expect(throws: ChecksumList.LookupError.noEntry("nothing")) { try hex(list, "/nothing") }
        #expect(throws: ChecksumList.LookupError.noEntry("/")) { try hex(list, "/") }
    }

    @Test("equal entries do not conflict, and the stronger of two functions counts")
    func twice() throws {
        let text =
            "\(Self.one)  a\n\(Self.one) *a\nMD5 (a) = \(String(repeating: "3", count: 32))\n"
        #expect(try hex(text, "/a") == Self.one)
        #expect(throws: ChecksumList.LookupError.ambiguous("a")) {
            try hex("\(Self.one)  a\n\(Self.two)  a\n", "/a")
        }
    }

    @Test("the plan shows the expected checksum, and a list without checksums gives none")
    func plans() throws {
        let folder = try ScratchFolder()
        let path = try folder.file("SUMS", "\(Self.one)  a%20b\n\(Self.two)  a b\n")
        let text = try DryRun.text(of: plan("--checksum-from", path, "http://h/a%20b"))
        #expect(text.contains("checksum: sha256:\(Self.two), from \(path)\n"))
        let none = try DryRun.text(of: plan("--checksum-from", path, "http://h/c"))
        #expect(none.contains("checksum: none: \(path) has no checksum for c\n"))
        let remote = try DryRun.text(
            of: plan("--checksum-from", "https://u:p@h/SUMS", "http://h/c")
        )
        #expect(remote.contains("checksum: from https://(redacted)@h/SUMS\n"))
        let empty = try folder.file("empty", "nothing\n")
        let nothing = try DryRun.text(of: plan("--checksum-from", empty, "http://h/c"))
        #expect(nothing.contains("checksum: none: \(empty) contains no checksums"))
        #expect(fileFailure(["--checksum-from", path + "x", "http://h/"]) != nil)
    }

    @Test(
        "a list of another origin is requested without the header and credentials for the first origin",
        arguments: [["--bearer", "token"], ["--auth", "basic", "-u", "u:p"], ["-u", "u:p"]]
    )
    func credentials(flags: [String]) throws {
        for (list, has) in [("https://h/SUMS", true), ("https://other/SUMS", false)] {
            let arguments = ["-H", "X-Key: 1", "-H", "If-Match: *", "--checksum-from", list]
            let plan = try plan(flags + arguments + ["https://h/file"])
            guard case .remote(let task) = plan.checksums else {
                Issue.record("\(plan.checksums)")
                continue
            }
            #expect(task.headers.contains { $0.name == "X-Key" } == has)
            let isSentAtOnce = has && flags.first != "-u"
            #expect(task.headers.contains { $0.name == "Authorization" } == isSentAtOnce)
            let hasUser = has && flags.contains("-u")
            #expect(task.identity.credential?.user == (hasUser ? "u" : nil))
            #expect(!task.headers.contains { $0.name == "If-Match" })
            #expect(task.kind == TaskKind(destination: .standardOutput))
        }
        // The list's own user, without the password of another origin.
        let own = try plan(flags + ["--checksum-from", "https://o@other/SUMS", "https://h/file"])
        guard case .remote(let task) = own.checksums else {
            Issue.record("\(own.checksums)")
            return
        }
        #expect(task.identity.credential == UserPassword(user: "o", password: nil))
    }
}
