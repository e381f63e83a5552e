import Foundation
import Synchronization
import TestSupport
import Testing

/// `--checksum-from`: lists in coreutils' forms, from files and from servers.
@Suite("Lists of checksums", .timeLimit(.minutes(1)))
struct ChecksumListTests {
    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(50_000)

    init() throws {
        folder = try TemporaryFolder("checksum-list")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    /// The list of a file with this name, as a shell command writes it.
    private func list(_ command: String, of name: String) async throws -> [UInt8] {
        let source = try TemporaryFolder("checksum-source")
        _ = try source.write(bytes, to: name)
        let result = try await FetchProcess(shell: command, in: source).run()
        #expect(result.status == 0, "\(result)")
        return result.stdout
    }

    @Test(
        "fetch reads coreutils' own lists",
        arguments: [
            "sha256sum *", "sha256sum -b *", "sha256sum --tag *", "sha512sum *", "md5sum --tag *",
            "sha1sum *", "sha384sum ./*", "sha256sum * | sed 's/$/\\r/'",
            "sha256sum <\"$(echo *)\" | cut -d' ' -f1", "cksum -a sha256 *",
        ]
    )
    func forms(command: String) async throws {
        let nginx = try Nginx.shared
        let name = "checksum-form"
        let url = nginx.url(try nginx.addFile(name, bytes: bytes))
        _ = try folder.write(try await list(command, of: name), to: "SUMS")
        let good = try await run("--checksum-from", "SUMS", "-O", "out", url)
        #expect(good.status == 0, "\(good)")
        let other = nginx.url(try nginx.addFile("\(name)-2", text: "another"))
        let bad = try await run("--checksum-from", "SUMS", "-O", name, other)
        #expect(bad.status == 10, "\(bad)")
        #expect(folder.names() == ["SUMS", "out"])
    }

    @Test("fetch finds names that coreutils escapes")
    func escaped() async throws {
        let name = "a\\b\nc"
        let server = try SocketServer { [bytes] connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", [], body: bytes)
        }
        _ = try folder.write(try await list("sha256sum *", of: name), to: "SUMS")
        let url = server.url("/a%5Cb%0Ac")
        let good = try await run("--checksum-from", "SUMS", "-O", "out", url)
        #expect(good.status == 0, "\(good)")
        let missing = try await run("--checksum-from", "SUMS", "-O", "out", server.url("/ab"))
        #expect(missing.status == 10, "\(missing)")
        #expect(server.requestCount == 1)
    }

    @Test("--max-time is the status of a list that does not arrive in time")
    func late() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let result = try await run(
            "--max-time",
            "0.5",
            "--checksum-from",
            server.url("/SUMS"),
            server.url("/file")
        )
        #expect(result.status == 124, "\(result)")
        #expect(result.stderr.contains("--max-time ran out"))
        #expect(server.requestCount == 1)
    }

    @Test("fetch does not download a file that the list does not name")
    func missing() async throws {
        let server = try SocketServer { [bytes] in try ServedFile(bytes).serve($0) }
        _ = try folder.write(try await list("sha256sum *", of: "named"), to: "SUMS")
        let result = try await run(
            "--checksum-from",
            "SUMS",
            server.url("/other"),
            server.url("/named")
        )
        #expect(result.status == 10, "\(result)")
        #expect(
            result.blames(server.url("/other")) == [
                "--checksum-from: SUMS has no checksum for other"
            ]
        )
        #expect(server.heads.map(\.target) == ["/named"])
        #expect(folder.names() == ["SUMS", "named"])
    }

    @Test("standard input may be the list, and fetch refuses a list that is invalid or too large")
    func inputs() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url(try nginx.addFile("checksum-input", bytes: bytes))
        let list = try await list("sha256sum *", of: "checksum-input")
        let good = try await FetchProcess(
            ["--checksum-from", "-", url],
            in: folder,
            input: .bytes(list)
        ).run()
        #expect(good.status == 0, "\(good)")
        for content in [[UInt8]("no list\n".utf8), []] {
            _ = try folder.write(content, to: "SUMS")
            let empty = try await run("--checksum-from", "SUMS", "-O", "out", url)
            #expect(empty.status == 10, "\(empty)")
            #expect(empty.stderr.contains("SUMS contains no checksums"))
        }
        _ = try folder.write([UInt8](repeating: 0x61, count: 2 << 20), to: "SUMS")
        let large = try await run("--checksum-from", "SUMS", "-O", "out", url)
        #expect(large.status == 3, "\(large)")
        #expect(!folder.exists("out"))
    }

    @Test("fetch downloads a list from a server once, before everything else")
    func remote() async throws {
        let sums = try await list("sha256sum *", of: "one")
        let server = try SocketServer { [bytes] connection in
            while let head = try connection.nextHead() {
                try connection.respond("200 OK", [], body: head.target == "/SUMS" ? sums : bytes)
            }
        }
        let result = try await run(
            "--checksum-from",
            server.url("/SUMS"),
            server.url("/one"),
            server.url("/x/one")
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?.target == "/SUMS")
        #expect(server.heads.map(\.target).sorted() == ["/SUMS", "/one", "/x/one"])
        #expect(folder.names() == ["one", "one.1"])
    }

    /// A reason for a missing list.
    enum Failure: CaseIterable {
        case notFound
        case unauthorised
        case noList
        case tooLarge
        case cut
        case named

        var status: Int32 {
            switch self {
            case .notFound: 8
            case .unauthorised: 6
            case .noList, .tooLarge, .named: 10
            case .cut: 4
            }
        }
    }

    @Test("fetch downloads nothing without its list, and the status shows the reason")
    func failures() async throws {
        for failure in Failure.allCases {
            let sums = try await list("sha256sum *", of: "other")
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                switch failure {
                case .notFound: try connection.respond("404 Not Found", [], body: "none")
                case .unauthorised: try connection.respond("401 Unauthorized", [], body: "none")
                case .noList: try connection.respond("200 OK", [], body: "<html></html>")
                case .tooLarge:
                    try connection.respond(
                        "200 OK",
                        [],
                        body: [UInt8](repeating: 0x61, count: 3 << 20)
                    )
                case .cut:
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc")
                case .named: try connection.respond("200 OK", [], body: sums)
                }
            }
            let result = try await run("--checksum-from", server.url("/SUMS"), server.url("/file"))
            #expect(result.status == failure.status, "\(failure): \(result)")
            #expect(server.heads.map(\.target) == ["/SUMS"], "\(failure)")
            #expect(result.blames(server.url("/file")).first?.contains("/SUMS") == true)
            #expect(folder.names() == [])
        }
    }

    @Test("fetch refuses a list that is redirected out of TLS")
    func downgrade() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url(try nginx.addFile("checksum-downgrade", bytes: bytes))
        let plain = try SocketServer { try $0.respond("200 OK", [], body: "") }
        let result = try await run(
            "--ca-certificate",
            try Certificates.shared.authority,
            "--checksum-from",
            nginx.tlsURL("/redirect/to-http?host=127.0.0.1:\(plain.port)"),
            url
        )
        #expect(result.status == 11, "\(result)")
        #expect(result.stderr.contains("to plain HTTP"), "\(result)")
        #expect(plain.requestCount == 0)
        #expect(folder.names() == [])
    }
}
