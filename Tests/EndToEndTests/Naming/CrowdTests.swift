import Foundation
import TestSupport
import Testing

/// Simultaneous downloads of one name.
@Suite("One name for many downloads", .timeLimit(.minutes(2)))
struct CrowdTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("crowd")
    }

    @Test("T-08 several processes get a number of their own each, and a complete file")
    func processes() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nbody")
            try gate.wait()
            try connection.send(String(head.target.suffix(4)))
        }
        let running = try (1_001...1_006).map { number in
            try FetchProcess(["-q", server.url("/file?\(number)")], in: folder).start()
        }
        #expect(await eventually { folder.names().count == 6 })
        let parts = ["file.part"] + (1...5).map { "file.\($0).part" }
        #expect(folder.names() == parts.sorted())
        for _ in running { gate.open() }
        for process in running {
            let result = try await process.wait()
            #expect(result.status == 0, "\(result)")
        }
        let names = ["file"] + (1...5).map { "file.\($0)" }
        #expect(folder.names() == names)
        let texts = names.compactMap { folder.readText($0) }
        #expect(Set(texts) == Set((1_001...1_006).map { "body\($0)" }))
        try server.verify()
    }

    @Test("T-08 several tasks of one run get a number of their own each, and a complete file")
    func tasks() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let fields = "Content-Length: 8\r\nContent-Disposition: attachment; filename=file"
            try connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nbody")
            try gate.wait()
            try connection.send(String(head.target.suffix(4)))
        }
        let urls = (1_001...1_006).map { server.url("/other?\($0)") }
        let process = try FetchProcess(
            ["-q", "-j", "6", "--max-connections-per-host", "6", "--content-disposition"] + urls,
            in: folder
        ).start()
        let parts = ["file.part"] + (1...5).map { "file.\($0).part" }
        #expect(await eventually { folder.names() == parts.sorted() })
        for _ in urls { gate.open() }
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        let names = ["file"] + (1...5).map { "file.\($0)" }
        #expect(folder.names() == names)
        let texts = names.compactMap { folder.readText($0) }
        #expect(Set(texts) == Set((1_001...1_006).map { "body\($0)" }))
    }

    @Test("T-08 numbers remain distinct where one process fails")
    func oneFails() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbo")
            try gate.wait()
            if head.target.hasSuffix("whole") { try connection.send("dy") }
        }
        let failing = try FetchProcess(["-t", "1", server.url("/file")], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        let whole = try FetchProcess([server.url("/file?whole")], in: folder).start()
        #expect(await eventually { folder.exists("file.1.part") })
        gate.open()
        gate.open()
        #expect(try await failing.wait().status == 4)
        #expect(try await whole.wait().status == 0)
        #expect(folder.readText("file.1") == "body")
        #expect(!folder.exists("file"))
    }

    @Test("fetch finds the next free number quickly among 1,500 files of one name")
    func many() async throws {
        for number in 0..<1_500 {
            try folder.write([], to: number == 0 ? "hello.txt" : "hello.txt.\(number)")
        }
        let url = try Nginx.shared.url("/files/hello.txt")
        let urls = [String](repeating: url, count: 200)
        // Each file is synchronized to the disk.
        let result = try await FetchProcess(
            ["-q"] + urls,
            in: folder,
            timeLimit: .seconds(100)
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(folder.names().count == 1_700)
        #expect(folder.readText("hello.txt.1699") == "Hello, world!\n")
        #expect(folder.size("hello.txt.1499") == 0)
    }

    @Test(
        "T-08 fetch refuses and does not change a part name that is not its own regular file",
        arguments: ["link", "hard link", "fifo", "folder"]
    )
    func strange(kind: String) async throws {
        try folder.write("precious", to: "precious")
        let part = folder.path("hello.txt.part")
        switch kind {
        case "link": symlink("precious", part)
        case "hard link": link(folder.path("precious"), part)
        case "fifo": mkfifo(part, 0o600)
        default: try folder.makeFolder("hello.txt.part")
        }
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run(url, in: folder)
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("hello.txt.part"))
        #expect(folder.names() == ["hello.txt.part", "precious"])
        #expect(folder.readText("precious") == "precious")
    }

    @Test(
        "T-08 fetch does not follow a link instead of resume data, and it blocks the download",
        arguments: ["slow.part.resume", "slow.part.resume~"]
    )
    func resumeLinks(name: String) async throws {
        try folder.write("precious", to: "precious")
        try folder.writePart(Array("left".utf8), to: "slow.part")
        symlink("precious", folder.path(name))
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess(["-O", "slow", url], in: folder).run()
        #expect(result.status == 3, "\(result)")
        #expect(
            result.stderr.contains("\(name) exists, and was not left by a download; "),
            "\(result)"
        )
        #expect(folder.names() == ["precious", "slow.part", name])
        #expect(folder.readText("slow.part") == "left")
        #expect(folder.readText("precious") == "precious")
    }
}
