import Foundation
import TestSupport
import Testing

/// `--content-disposition`.
@Suite("File names from servers", .timeLimit(.minutes(1)))
struct ServerNameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("named")
    }

    private func server(_ field: String) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Disposition: \(field)"], body: "body")
        }
    }

    @Test("nginx names an attachment, and without the flag the URL names the file")
    func attachment() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("server-name.txt", bytes: Array("body".utf8))
        let url = nginx.url("/attachment/server-name.txt?x=/other")
        let named = try await FetchProcess.run("--content-disposition", url, in: folder)
        #expect(named.status == 0, "\(named)")
        #expect(folder.names() == ["server-name.txt"])
        let none = nginx.url("/files/server-name.txt")
        let unnamed = try await FetchProcess.run("--content-disposition", none, in: folder)
        #expect(unnamed.status == 0, "\(unnamed)")
        #expect(folder.names() == ["server-name.txt", "server-name.txt.1"])
    }

    @Test(
        "a server's name cannot leave the folder, hide the file, or replace another file",
        arguments: [
            (#"attachment; filename="../../evil.sh""#, "evil.sh"),
            (#"attachment; filename="/etc/passwd""#, "passwd"),
            (#"attachment; filename="..\\..\\evil.bat""#, "evil.bat"),
            ("attachment; filename*=UTF-8''%2e%2e%2fevil%00.sh", "evil_.sh"),
            ("attachment; filename=.bashrc", "_.bashrc"),
            ("attachment; filename=-rf", "_-rf"),
            ("attachment; filename=..", "url"), (#"attachment; filename="a/..""#, "url"),
            ("attachment; filename*=UTF-8''a%1b%5B31m%e2%80%aeb", "a_[31m_b"),
            ("attachment; filename=caf\u{e9}.txt", "caf\u{e9}.txt"),
            ("attachment; filename*=UTF-8''%ff; filename=plain", "plain"),
            ("attachment; filename=one; filename=two", "url"),
            ("attachment; filename=taken", "taken.1"),
            ("attachment; filename=link", "link.1"),
            ("attachment; filename=x.part", "x.part_"),
            (
                "attachment; filename=" + String(repeating: "n", count: 5_000) + ".tar.gz",
                String(repeating: "n", count: 232) + ".tar.gz"
            ),
        ]
    )
    func hostile(field: String, name: String) async throws {
        let outer = try TemporaryFolder("outer")
        try outer.write("mine", to: "in/taken")
        symlink("../victim", outer.path("in/link"))
        let server = try server(field)
        let result = try await FetchProcess.run(
            "--content-disposition",
            "-P",
            outer.path("in"),
            server.url("/url"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        let made = Set(try FileManager.default.contentsOfDirectory(atPath: outer.path("in")))
        #expect(made == ["taken", "link", name])
        #expect(outer.readText("in/\(name)") == "body")
        #expect(outer.readText("in/taken") == "mine")
        #expect(outer.names() == ["in"])
        #expect(folder.names() == [])
        #expect(!result.stderr.contains("\u{1b}"))
        try server.verify()
    }

    @Test("the last response after redirects names the file")
    func redirected() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "/first" else {
                let fields = ["Content-Disposition: attachment; filename=last"]
                return try connection.respond("200 OK", fields, body: "body")
            }
            let fields = ["Location: /second", "Content-Disposition: attachment; filename=first"]
            try connection.respond("302 Found", fields + ["Connection: close"])
        }
        let result = try await FetchProcess.run(
            "--content-disposition",
            server.url("/first"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["last"])
    }

    @Test("an interrupted download continues under the server's name")
    func retried() async throws {
        let bytes = PseudoRandom.bytes(300_000)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let whole = "ETag: \"x\"\r\nContent-Disposition: attachment; filename=given\r\n"
            if let range = head["Range"] {
                #expect(head["If-Range"] == "\"x\"")
                let first = Int(range.dropFirst(6).dropLast()) ?? 0
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\n\(whole)Content-Length: \(300_000 - first)\r\n"
                        + "Content-Range: bytes \(first)-299999/300000\r\n\r\n"
                )
                return try connection.send(Array(bytes[first...]))
            }
            try connection.send("HTTP/1.1 200 OK\r\n\(whole)Content-Length: 300000\r\n\r\n")
            try connection.send(Array(bytes[..<100_000]))
        }
        let result = try await FetchProcess.run(
            "--content-disposition",
            server.url("/url"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["given"])
        #expect(isSameBytes(folder.read("given"), bytes))
        #expect(server.requestCount == 2)
    }

    @Test("the hint after an early end names the file, and the flag to omit")
    func hint() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 9\r\n"
                    + "Content-Disposition: attachment; filename=given\r\n\r\nbody"
            )
        }
        let result = try await FetchProcess.run(
            "--content-disposition",
            "--tries",
            "1",
            server.url("/url"),
            in: folder
        )
        #expect(result.status == 4, "\(result)")
        #expect(folder.names() == ["given.part", "given.part.resume"])
        #expect(result.stderr.contains("-c -O given instead of --content-disposition"))
    }

    @Test("--auto saves a file under the server's name")
    func automatic() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "200 OK",
                ["Content-Type: image/png", "Content-Disposition: inline; filename=a.png"],
                body: "body"
            )
        }
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["--auto", "--content-disposition", server.url("/url")],
            in: folder,
            terminal: terminal
        )
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["a.png"])
    }
}
