import Foundation
import TestSupport
import Testing

/// The content of a download's file, and the time at which it appears.
@Suite("Downloads", .timeLimit(.minutes(2)))
struct DownloadTests {
    @Test("T-07 a download is the server's bytes under the URL's name, and no other file")
    func whole() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("download-whole", size: 5_000_000, seed: 7)
        let result = try await FetchProcess.run(nginx.url(path))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout == [])
        #expect(result.folder.names() == ["download-whole"])
        #expect(result.folder.read("download-whole") == PseudoRandom.bytes(5_000_000, seed: 7))
    }

    @Test(
        "T-07 a body of any framing arrives whole",
        arguments: ["/files/", "/no-length/", "/until-close/", "/gzip/"]
    )
    func framings(location: String) async throws {
        let nginx = try Nginx.shared
        let name = "download-framing-\(location.filter { $0 != "/" })"
        try nginx.addLargeFile(name, size: 300_001)
        let result = try await FetchProcess.run("-O", "out", nginx.url(location + name))
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.read("out") == PseudoRandom.bytes(300_001))
    }

    @Test("the final name appears when the body is complete, and the old file remains until then")
    func partFile() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nnew")
            try gate.wait()
            try connection.send("new")
        }
        let folder = try TemporaryFolder("part")
        try folder.write("the old one", to: "file")
        let process = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        #expect(folder.readText("file") == "the old one")
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("file") == "newnew")
        #expect(folder.names() == ["file"])
        try server.verify()
    }

    @Test("the file gets the server's Last-Modified time")
    func modified() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("download-dated", text: "x", modified: 1_234_567_890)
        let result = try await FetchProcess.run(nginx.url(path))
        #expect(result.folder.modified("download-dated") == 1_234_567_890)
    }

    @Test(
        "an empty body makes an empty file, and a response without a body makes none",
        arguments: [("/files/empty", ["out"]), ("/status/204", [])]
    )
    func empty(path: String, names: [String]) async throws {
        let result = try await FetchProcess.run("-O", "out", Nginx.shared.url(path))
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.read("out") == (names.isEmpty ? nil : []))
        #expect(result.folder.names() == names)
    }

    @Test(
        "interim responses do not count as responses",
        arguments: ["100 Continue", "103 Early Hints"]
    )
    func interim(status: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status)\r\nLink: </a>\r\nContent-Length: 5\r\n\r\n")
            try connection.respond(body: "final")
        }
        let result = try await FetchProcess.run("-S", "-O", "out", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("out") == "final")
        #expect(!result.stderr.contains(status))
        try server.verify()
    }

    @Test("a second fetch of the same name ends with 3 and does not change the first one's file")
    func lock() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            if connection.number == 0 { try gate.wait() }
            try connection.send("cd")
        }
        let folder = try TemporaryFolder("lock")
        let first = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        // The part file exists before it is locked.
        #expect(await eventually { folder.size("file.part") ?? 0 > 0 })
        let second = try await FetchProcess.run("-O", "file", server.url(), in: folder)
        #expect(second.status == 3, "\(second)")
        #expect(second.blames(server.url()).count == 1)
        #expect(folder.names() == ["file.part"])
        gate.open()
        #expect(try await first.wait().status == 0)
        #expect(folder.readText("file") == "abcd")
    }

    @Test("fetch without -c starts over where a part exists")
    func existingPart() async throws {
        let folder = try TemporaryFolder("existing-part")
        try folder.writePart(Array("a longer part of something else".utf8), to: "hello.txt.part")
        let result = try await FetchProcess.run(Nginx.shared.url("/files/hello.txt"), in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("hello.txt") == "Hello, world!\n")
        #expect(folder.names() == ["hello.txt"])
    }

    @Test(
        "T-07 the user's own file with the part's name blocks the download, and remains",
        arguments: [true, false]
    )
    func partOfTheUser(isNamed: Bool) async throws {
        let folder = try TemporaryFolder("own-part")
        try folder.write("mine", to: "hello.txt.part")
        let url = try Nginx.shared.url("/files/hello.txt")
        let flags = isNamed ? ["-O", "hello.txt"] : []
        let result = try await FetchProcess(flags + [url], in: folder).run()
        #expect(result.status == 3, "\(result)")
        #expect(
            result.stderr.contains("hello.txt.part exists, and was not left by a download"),
            "\(result)"
        )
        #expect(folder.readText("hello.txt.part") == "mine")
        #expect(folder.names() == ["hello.txt.part"])
    }

    @Test("T-07 a URL that ends in .part gets a file of its own", arguments: ["1", "2"])
    func urlOfAPart(jobs: String) async throws {
        let folder = try TemporaryFolder("part-url")
        let server = try SocketServer { connection in
            try connection.respond(body: try connection.readHead().target)
        }
        let result = try await FetchProcess.run(
            "-j",
            jobs,
            server.url("/y.part"),
            server.url("/y"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["y", "y.part_"])
        #expect(folder.readText("y") == "/y")
        #expect(folder.readText("y.part_") == "/y.part")
    }

    @Test("fetch does not follow a symbolic link in the part file's place")
    func linkedPart() async throws {
        let folder = try TemporaryFolder("link")
        try folder.write("precious", to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("hello.txt.part"),
            withDestinationPath: "victim"
        )
        let result = try await FetchProcess.run(Nginx.shared.url("/files/hello.txt"), in: folder)
        #expect(result.status == 3, "\(result)")
        #expect(folder.readText("victim") == "precious")
        #expect(!folder.exists("hello.txt"))
    }

    @Test("fetch writes to a device or a FIFO and never replaces it")
    func devices() async throws {
        let folder = try TemporaryFolder("fifo")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.shell(
            #"cat fifo & "$FETCH" -O fifo "$1" && "$FETCH" -O /dev/null "$1"; s=$?; wait; exit $s"#,
            url,
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        #expect(folder.names() == ["fifo"])
        #expect(try FileManager.default.attributesOfItem(atPath: "/dev/null")[.size] as? Int == 0)
    }
}
