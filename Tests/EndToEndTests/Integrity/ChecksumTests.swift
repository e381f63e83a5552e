import Foundation
import Synchronization
import TestSupport
import Testing

/// `--checksum`, and the digests that servers send.
@Suite("Checksums", .timeLimit(.minutes(1)))
struct ChecksumTests {
    private static let wrong = "sha256:" + String(repeating: "0", count: 64)

    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TemporaryFolder("checksum")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    private func right() throws -> String { "sha256:\(try sha256(bytes))" }

    @Test("a correct file gets its name; a wrong one leaves the old file unchanged, and no part")
    func file() async throws {
        let server = try SocketServer { [bytes] in try ServedFile(bytes).serve($0) }
        let old = try folder.write("old", to: "file")
        let bad = try await run("--checksum", Self.wrong, "-O", "file", server.url())
        #expect(bad.status == 10, "\(bad)")
        let words =
            "the body does not match its digest: expected \(Self.wrong), got \(try right())"
            + " (URLError.bodyDigestMismatch -9530)"
        #expect(bad.blames(server.url()) == [words])
        #expect(folder.readText("file") == "old" && !old.isEmpty)
        #expect(folder.names() == ["file"])
        #expect(server.requestCount == 1)
        let good = try await run("--checksum", right(), "-O", "file", server.url())
        #expect(good.status == 0, "\(good)")
        #expect(try sha256(folder.read("file") ?? []) == sha256(bytes))
        #expect(folder.names() == ["file"])
    }

    @Test(
        "fetch compares the digest of every function",
        arguments: ["md5", "sha1", "sha256", "sha384", "sha512"]
    )
    func functions(name: String) async throws {
        let server = try SocketServer { [bytes] in try ServedFile(bytes).serve($0) }
        _ = try folder.write(bytes, to: "bytes")
        let tool = try await FetchProcess(shell: "\(name)sum bytes", in: folder).run()
        let sum = String(tool.stdoutText.prefix { $0 != " " })
        let good = try await run("-O", "file", "--checksum", "\(name)=\(sum)", server.url())
        #expect(good.status == 0, "\(good)")
        let flipped = (sum.first == "0" ? "1" : "0") + sum.dropFirst()
        let bad = try await run("-O", "file", "--checksum", "\(name)=\(flipped)", server.url())
        #expect(bad.status == 10, "\(bad)")
    }

    @Test(
        "a response without a body proves no file, and no output",
        arguments: ["204 No Content", "304 Not Modified"]
    )
    func noBody(status: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n")
        }
        let outputs = [
            ["-O", "file"], ["--remote-name"], [], ["-N"], ["-c", "-O", "file"], ["-O", "new"],
            ["-O", "-"], ["--hold", "-O", "-"], ["-z", "2020-01-01", "-O", "file"],
        ]
        try folder.write("stale", to: "file")
        for output in outputs {
            let result = try await FetchProcess(
                ["--checksum", right()] + output + [server.url("/file")],
                in: folder
            ).run()
            #expect(result.status == 10, "\(result)")
            #expect(result.stdout == [])
            #expect(folder.readText("file") == "stale")
            #expect(folder.names() == ["file"])
        }
    }

    @Test("the empty body of a 204 on standard output has the digest of no bytes")
    func nothing() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let empty = "sha256:\(try sha256([]))"
        #expect(try await run("--checksum", empty, "-O", "-", server.url()).status == 0)
    }

    @Test("a correct body is written to standard output, and a wrong one is not")
    func standardOutput() async throws {
        let server = try SocketServer { [bytes] in try ServedFile(bytes).serve($0) }
        let good = try await run("-O", "-", "--checksum", right(), server.url())
        #expect(good.status == 0, "\(good.stderr)")
        let bad = try await run("-O", "-", "--checksum", Self.wrong, server.url())
        #expect(bad.status == 10, "\(bad.stderr)")
        #expect(try sha256(good.stdout) == sha256(bytes))
        #expect(bad.stdout.isEmpty)
        #expect(bad.stderr.contains("nothing was written"), "\(bad.stderr)")
        let device = try await run("-O", "/dev/null", "--checksum", Self.wrong, server.url())
        #expect(device.status == 10, "\(device.stderr)")
    }

    @Test("the checksum of a coded body for standard output is that of the decoded bytes")
    func coded() async throws {
        let coded = Coder.gzip.code(bytes)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Encoding: gzip"], body: coded)
        }
        let plain = try await run("-O", "-", "--checksum", right(), server.url())
        #expect(plain.status == 0, "\(plain.stderr)")
        let stored = try await run(
            "-O",
            "file",
            "--checksum",
            "sha256:\(try sha256(coded))",
            server.url()
        )
        #expect(stored.status == 0, "\(stored.stderr)")
    }

    @Test("fetch does not compare the body of an error")
    func errors() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("404 Not Found", [], body: "none")
        }
        for more in [["--content-on-error"], ["--error-body", "error"], []] {
            let result = try await FetchProcess(
                ["-O", "-", "--checksum", Self.wrong] + more + [server.url()],
                in: folder
            ).run()
            #expect(result.status == 8, "\(result)")
            #expect(result.blames(server.url()) == ["404 Not Found"])
        }
        #expect(folder.readText("error") == "none")
        let accepted = try await run(
            "--accept-status",
            "404",
            "-O",
            "file",
            "--checksum",
            Self.wrong,
            server.url()
        )
        #expect(accepted.status == 10, "\(accepted)")
    }

    @Test("--auto compares saved and printed bodies, and bodies of local files")
    func automatic() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("checksum-auto.bin", bytes: bytes)
        for (sum, status) in [(try right(), 0), (Self.wrong, 10)] {
            let printed = try await run("--auto", "--checksum", sum, nginx.url(path))
            #expect(printed.status == Int32(status), "\(printed.stderr)")
            #expect(printed.stdout.count == (status == 0 ? bytes.count : 0))
            let terminal = try PseudoTerminal()
            let saved = try await FetchProcess(
                ["--auto", "--checksum", sum, nginx.url(path)],
                in: folder,
                terminal: terminal
            ).run()
            #expect(saved.status == Int32(status))
            #expect(folder.names() == (status == 0 ? ["checksum-auto.bin"] : []))
            _ = try await FetchProcess(shell: "rm -f ./*", in: folder).run()
            let source = try TemporaryFolder("checksum-source")
            let local = try source.write(bytes, to: "local")
            let file = try await run("-O", "copy", "--checksum", sum, "file://\(local)")
            #expect(file.status == Int32(status), "\(file)")
            _ = try await FetchProcess(shell: "rm -f ./*", in: folder).run()
        }
    }

    @Test("fetch compares nginx's Repr-Digest with the body, except with --ignore-digests")
    func field() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("checksum-field", bytes: bytes)
        let zeros = Data(repeating: 0, count: 32).base64EncodedString()
        let url = nginx.url("/digest/checksum-field?repr=sha-256=:\(zeros):")
        for output in ["file", "-"] {
            let bad = try await run("-O", output, url)
            #expect(bad.status == 10, "\(bad.stderr)")
            #expect(bad.stderr.contains("Repr-Digest: expected \(Self.wrong), got sha256:"))
        }
        #expect(folder.names() == [])
        let ignored = try await run("--ignore-digests", "-O", "file", url)
        #expect(ignored.status == 0, "\(ignored)")
    }

    @Test("events report the compared digest, and a digest field that could not be used")
    func events() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("checksum-events", bytes: bytes)
        let url = nginx.url("/digest/checksum-events?repr=nonsense%20x")
        for output in ["file", "-"] {
            let result = try await run(
                "--events-file",
                "events",
                "-vv",
                "--checksum",
                right(),
                "-O",
                output,
                url
            )
            #expect(result.status == 0, "\(result.stderr)")
            let events = try Events(folder.read("events"))
            #expect(events.violations == [])
            let checks = events.named("didCheckDigest")
            #expect(checks.map { $0["finding"] ?? "" } == ["unusable", "matches"])
            #expect(checks.last?["actual"] == (try right()))
            #expect(result.stderr.contains("didCheckDigest"))
        }
    }

    @Test("-N compares an unmodified file, and downloads it again where the digest differs")
    func timestamping() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("checksum-stamped", bytes: bytes)
        let url = nginx.url(path)
        let first = try await run("-N", "--checksum", right(), url)
        #expect(first.status == 0, "\(first)")
        let same = try await run("-N", "--checksum", right(), url)
        #expect(same.status == 0 && same.stderr.contains("not modified"), "\(same)")
        // One byte changes, and neither the size nor the time of the file.
        let broken = try await FetchProcess(
            shell: """
                touch -r checksum-stamped reference
                printf X | dd of=checksum-stamped bs=1 seek=1000 conv=notrunc 2>/dev/null
                touch -r reference checksum-stamped
                rm reference
                """,
            in: folder
        ).run()
        #expect(broken.status == 0)
        let again = try await run("-N", "--checksum", right(), url)
        #expect(again.status == 0, "\(again)")
        #expect(again.stderr.contains("checksum-stamped does not match"), "\(again)")
        #expect(try sha256(folder.read("checksum-stamped") ?? []) == sha256(bytes))
        let wrong = try await run("-N", "--checksum", Self.wrong, url)
        #expect(wrong.status == 10, "\(wrong)")
        #expect(try sha256(folder.read("checksum-stamped") ?? []) == sha256(bytes))
    }

    @Test("--dry-run shows the expected checksum")
    func dryRun() async throws {
        let result = try await run("--dry-run", "--checksum", right(), "http://h/x")
        #expect(result.stdoutText.contains("checksum: \(try right())\n"), "\(result)")
    }
}
